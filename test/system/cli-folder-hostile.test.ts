import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../support/api.ts";
import { startCli } from "../support/cli.ts";
import { definition, gives, node } from "../support/definition.ts";
import { openFolderStage, type FolderStage } from "../support/folder.ts";
import { writeProxy } from "../support/write-proxy.ts";

let place: FolderStage;
beforeEach(async () => void (place = await openFolderStage()));
afterEach(() => place.remove());

const file = (name: string, graph: Json) => ({
  ...{ format: "weft-workflow", version: 1, name, description: "" },
  definition: graph,
});
const giving = (value: unknown) => definition([gives("a", value)]);

it("rejects links, large files and names that are not slugs, and changes nothing", async () => {
  const ada = place.person("ada");
  ada.write("workflows/fine", file("Fine", giving(1)));
  const refused = async (message: string) => {
    for (const command of ["push", "pull"]) {
      const { code, stderr } = await ada.weft(command);
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    }
    expect((await place.api.get(`${place.space}/workflows`)).body).toEqual([]);
  };
  const secret = join(place.home, "secret.json");
  writeFileSync(secret, JSON.stringify(file("Stolen", giving("secret"))));
  symlinkSync(secret, ada.fileOf("workflows/link"));
  await refused("symbolic link");
  rmSync(ada.fileOf("workflows/link"));
  ada.write("workflows/huge", "{");
  truncateSync(ada.fileOf("workflows/huge"), 9 * 1_048_576);
  await refused("is larger than");
  rmSync(ada.fileOf("workflows/huge"));
  ada.write("workflows/..%2f", "{}");
  await refused("the name of the file");
  rmSync(ada.fileOf("workflows/..%2f"));
  mkdirSync(ada.fileOf("workflows/folder"));
  await refused("is not a regular file");
  rmSync(ada.fileOf("workflows/folder"), { recursive: true });
  const outside = join(place.home, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(ada.folder, "schedules"));
  await refused("Links are not followed");
  rmSync(join(ada.folder, "schedules"));
  ada.write("weft.lock", JSON.stringify({ version: 2, spaces: { "../x": {} } }));
  await refused("is not what a pull wrote");
  rmSync(ada.fileOf("weft.lock"));
  expect(await ada.ok("push")).toEqual(["+ workflows/fine"]);
});

it("completes a push that was killed after any of its writes when it is pushed again", async () => {
  const { api, workspaceId } = place;
  const between = await writeProxy(place.url);
  try {
    for (let n = 1; ; n++) {
      const { body: space } = await api.post(`/v1/workspaces/${workspaceId}/spaces`, { name: `Space ${n}` });
      const path = `/v1/workspaces/${workspaceId}/spaces/${space.id}`;
      const { body: old } = await api.post(`${path}/workflows`, { name: "Old", definition: giving(0) });
      await api.post(`${path}/workflows`, { name: "Gone", definition: giving(0) });
      const ada = place.person(`n${n}`, { WEFT_SPACE: String(space.id) });
      await ada.ok("pull");
      rmSync(ada.fileOf("workflows/gone"));
      // Written by hand: neither the spaces nor the order of the fields are those of a pull.
      ada.write("workflows/old", { ...ada.read("workflows/old"), definition: giving(n) });
      ada.write("workflows/a", file("A", { ...giving(1), settings: { errorWorkflowId: "workflow:b" } }));
      ada.write("workflows/b", file("B", definition([node("sub", "subworkflow", { workflowId: "workflow:a" })])));
      ada.write("schedules/daily", { cronExpr: "0 2 * * *", workflow: "a", version: 1, format: "weft-schedule" });
      ada.write("variables", { format: "weft-variables", version: 1, values: { n } });
      const run = startCli(["push", ada.folder, "--deploy"], { ...ada.env, WEFT_URL: between.url });
      between.killAt(n, () => run.process.kill("SIGKILL"));
      const { code } = await run.ended;
      if (code !== 0) expect(code).toBeNull();
      await ada.ok("push", "--deploy");
      expect(await ada.ok("push", "--deploy")).toEqual([]);
      expect(await ada.ok("pull")).toEqual([]);
      const workflows = (await api.get(`${path}/workflows`)).body as Json[];
      const bySlug = Object.fromEntries(workflows.map(one => [String(one.slug), one]));
      expect(Object.keys(bySlug).sort()).toEqual(["a", "b", "old"]);
      expect(bySlug.old).toMatchObject({ id: old.id, version: 2, deployedVersion: 2 });
      expect(bySlug.b!.definition.nodes[0].data.workflowId).toBe(bySlug.a!.id);
      expect(bySlug.a!.definition.settings.errorWorkflowId).toBe(bySlug.b!.id);
      expect(((await api.get(`${path}/schedules`)).body as Json[]).map(({ slug }) => slug)).toEqual(["daily"]);
      if (code === 0) {
        // Every write of the push was cut off once.
        expect(n).toBeGreaterThan(8);
        break;
      }
    }
  } finally {
    await between.close();
  }
});

it("lets one of two concurrent pushes succeed, and reports the conflict to the other", async () => {
  const { api, space } = place;
  const { body: made } = await api.post(`${space}/workflows`, { name: "Both", definition: giving(0) });
  await api.post(`${space}/schedules`, { workflowId: made.id, cronExpr: "0 1 * * *" });
  const [ada, bob] = [place.person("ada"), place.person("bob")];
  for (const person of [ada, bob]) await person.ok("pull");
  const change = (person: typeof ada, value: string) => {
    person.write("workflows/both", file("Both", giving(value)));
    person.write(`workflows/new`, file("New", giving(value)));
  };
  change(ada, "ada");
  change(bob, "bob");
  const [first, second] = await Promise.all([ada, bob].map(({ folder, env }) => startCli(["push", folder], env).ended));
  expect([first!.code, second!.code].sort()).toEqual([0, 1]);
  const [winner, loser] = first!.code === 0 ? [ada, bob] : [bob, ada];
  const read = async () => {
    const all = (await api.get(`${space}/workflows`)).body as Json[];
    return all.map(one => one.definition.nodes[0].data.value as string);
  };
  const wanted = winner === ada ? "ada" : "bob";
  expect(await winner.ok("push")).toEqual([]);
  expect(await read()).toEqual([wanted, wanted]);
  expect((await loser.weft("push")).code).toBe(1);
  expect(await read()).toEqual([wanted, wanted]);
  // A schedule that a colleague changed meanwhile is not overwritten either.
  winner.write("schedules/both", { ...winner.read("schedules/both"), cronExpr: "0 3 * * *" });
  loser.write("schedules/both", { ...loser.read("schedules/both"), cronExpr: "0 4 * * *" });
  await winner.ok("push");
  const refused = await loser.weft("push");
  expect(refused.stderr).toContain("! schedules/both  changed on both sides");
  expect(await loser.ok("pull", "--force")).toContain("~ schedules/both");
  expect(loser.read("schedules/both").cronExpr).toBe("0 3 * * *");
  expect(await loser.ok("push")).toEqual([]);
});

it("neither shows nor changes anything of another workspace with the same names", async () => {
  const other = await openFolderStage();
  try {
    for (const { api, space } of [place, other])
      await api.post(`${space}/workflows`, { name: "Same", definition: giving(0) });
    const ada = place.person("ada");
    await ada.ok("pull");
    ada.write("workflows/same", file("Same", giving("ada")));
    expect(await ada.ok("push")).toEqual(["~ workflows/same"]);
    const [theirs] = (await other.api.get(`${other.space}/workflows`)).body as Json[];
    expect(theirs).toMatchObject({ slug: "same", version: 1, definition: giving(0) });
    // The lock of one space says nothing of another one.
    const bob = other.person("bob");
    bob.write("workflows/same", readFileSync(ada.fileOf("workflows/same"), "utf8"));
    bob.write("weft.lock", readFileSync(ada.fileOf("weft.lock"), "utf8"));
    const { code, stderr } = await bob.weft("push");
    expect([code, stderr]).toEqual([1, expect.stringContaining("! workflows/same  changed on both sides")]);
    expect(existsSync(bob.fileOf("variables"))).toBe(false);
  } finally {
    other.remove();
  }
});
