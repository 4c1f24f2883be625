import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { runCli, startCli } from "../support/cli.ts";
import { definition, gives, node } from "../support/definition.ts";
import { temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let home: string;
let folder: string;
let api: Api;
let space: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  const [server, made] = await Promise.all([sharedServer(), temporaryFolder()]);
  home = made;
  folder = join(home, "flows");
  const place = await newWorkspace(server.url);
  ({ api, space } = place);
  env = { XDG_CONFIG_HOME: home, WEFT_URL: server.url, WEFT_TOKEN: api.token, WEFT_WORKSPACE: place.workspaceId };
  const { body } = await api.post(`/v1/workspaces/${place.workspaceId}/api-keys`, { name: "ci", role: "admin" });
  env.WEFT_API_KEY = body.key as string;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const weft = (...args: string[]) => runCli(args, env);
async function ok(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await weft(...args);
  if (code !== 0) throw new Error(`weft ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  // Indented lines say what differs.
  return stdout.split("\n").filter(line => line !== "" && !line.startsWith(" "));
}
const fileOf = (slug: string) => join(folder, "workflows", `${slug}.json`);
const fileIn = (slug: string): Json => JSON.parse(readFileSync(fileOf(slug), "utf8"));
const edit = (slug: string, change: (file: Json) => void) => {
  const file = existsSync(fileOf(slug)) ? fileIn(slug) : { format: "weft-workflow", version: 1, description: "" };
  change(file);
  mkdirSync(join(folder, "workflows"), { recursive: true });
  writeFileSync(fileOf(slug), JSON.stringify(file));
};
const bytes = () =>
  Object.fromEntries(
    readdirSync(join(folder, "workflows")).map(name => [name, readFileSync(join(folder, "workflows", name), "utf8")]),
  );
const named = async (): Promise<Record<string, Json>> =>
  Object.fromEntries(((await api.get(`${space}/workflows`)).body as Json[]).map(one => [one.name as string, one]));
const giving = (value: unknown) => definition([gives("a", value)]);

it("pulls the same bytes each time, names other workflows by slug, and pushes a change", async () => {
  const { status, body: below } = await api.post(`${space}/workflows`, { name: "Größe & Maß", definition: giving(1) });
  expect(status).toBe(201);
  const above = definition([node("sub", "subworkflow", { workflowId: below.id })]);
  await api.post(`${space}/workflows`, {
    name: "Above",
    definition: { ...above, settings: { errorWorkflowId: below.id } },
  });
  const pulled = await startCli(["pull", folder], env).ended;
  expect(pulled).toMatchObject({ code: 0, stdout: "+ workflows/above\n+ workflows/grosse-mass\n" });
  const before = bytes();
  expect(fileIn("above").definition.nodes[0].data.workflowId).toBe("workflow:grosse-mass");
  expect(fileIn("above").definition.settings.errorWorkflowId).toBe("workflow:grosse-mass");
  expect(JSON.stringify(before)).not.toContain(below.id);
  // A reference by name is not a fault of the file.
  expect(await weft("validate", fileOf("above"))).toMatchObject({ code: 0 });
  expect(await ok("pull", folder)).toEqual([]);
  expect(bytes()).toEqual(before);

  edit("grosse-mass", file => {
    file.name = "Renamed";
    file.definition = giving(2);
  });
  expect(await ok("push", folder, "--dry-run")).toEqual(["~ workflows/grosse-mass"]);
  expect((await named())["Größe & Maß"].version).toBe(1);
  expect(await ok("push", folder, "--deploy", "-m", "Two")).toEqual([
    "~ workflows/grosse-mass",
    "^ workflows/above",
    "^ workflows/grosse-mass",
  ]);
  expect((await named()).Renamed).toMatchObject({ id: below.id, version: 2, deployedVersion: 2 });
  expect((await named()).Above).toMatchObject({ version: 1, deployedVersion: 1 });
  expect(await ok("push", folder, "--deploy")).toEqual([]);
  expect(await ok("pull", folder)).toEqual([]);
});

it("creates new items in another space, also those that refer to each other, and binds credentials by name", async () => {
  const credential = { name: "Shop", type: "bearer", hosts: ["shop.example"], data: { token: "s3cret-token" } };
  const { body: shop } = await api.post(`/v1/workspaces/${env.WEFT_WORKSPACE}/credentials`, credential);
  const call = node("call", "http", { url: "https://shop.example/", credential: shop.id });
  await api.post(`${space}/workflows`, { name: "Calls", definition: definition([call]) });
  await ok("pull", folder);
  expect(JSON.stringify(bytes())).not.toContain(shop.id);
  edit("calls", file => void (file.description = "Calls the shop"));
  expect(await ok("push", folder)).toEqual(["~ workflows/calls"]);
  expect((await named()).Calls.definition.nodes[0].data.credential).toBe(shop.id);
  edit("b", file =>
    Object.assign(file, {
      name: "B",
      definition: definition([node("sub", "subworkflow", { workflowId: "workflow:a" })]),
    }),
  );
  edit("a", file =>
    Object.assign(file, { name: "A", definition: { ...giving(1), settings: { errorWorkflowId: "workflow:b" } } }),
  );
  expect(await ok("push", folder)).toEqual(["+ workflows/a", "+ workflows/b"]);
  const { A, B } = await named();
  expect(B.definition.nodes[0].data.workflowId).toBe(A.id);
  expect(A.definition.settings.errorWorkflowId).toBe(B.id);
  expect(await ok("push", folder)).toEqual([]);
});

it("rejects versions that conflict with the server, and moves workflows without a file to the trash", async () => {
  const ids = [];
  for (const name of ["One", "Two", "Three"]) {
    ids.push((await api.post(`${space}/workflows`, { name, definition: giving(1) })).body.id as string);
  }
  await ok("pull", folder);
  edit("one", file => void (file.definition = giving("mine")));
  expect((await api.patch(`${space}/workflows/${ids[0]}`, { definition: giving("theirs") })).status).toBe(200);
  const refused = await weft("push", folder);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("! workflows/one  changed on both sides"),
  ]);
  expect((await named()).One.definition).toEqual(giving("theirs"));
  expect((await weft("pull", folder)).code).toBe(1);
  expect(fileIn("one").definition).toEqual(giving("mine"));
  expect(await ok("push", folder, "--force")).toEqual(["~ workflows/one"]);
  expect((await named()).One).toMatchObject({ version: 3, definition: giving("mine") });

  unlinkSync(fileOf("two"));
  expect(await ok("push", folder)).toEqual(["- workflows/two"]);
  expect((await api.get(`${space}/workflows/${ids[1]}`)).body.status).toBe("trashed");
  // Changed there, gone here: neither is lost.
  await api.patch(`${space}/workflows/${ids[2]}`, { definition: giving("new") });
  unlinkSync(fileOf("three"));
  expect((await weft("push", folder)).code).toBe(1);
  expect((await named()).Three.definition).toEqual(giving("new"));
});

it("says that there is nothing to push, and rejects a folder that does not exist", async () => {
  expect(await runCli(["pull", folder], env)).toMatchObject({ code: 0, stderr: "Nothing changed on the server.\n" });
  expect(await runCli(["push", folder], env)).toMatchObject({ code: 0, stderr: "The space equals the folder.\n" });
  const gone = await runCli(["push", join(folder, "gone")], env);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("ENOENT")]);
});

it("rejects files that are not workflows before it changes anything", async () => {
  await newWorkflow(api, space, giving(1));
  await ok("pull", folder);
  const copy = join(home, "copy");
  cpSync(folder, copy, { recursive: true });
  edit("fine", file => Object.assign(file, { name: "Fine", definition: giving(1) }));
  writeFileSync(fileOf("zbroken"), '{"format": "weft-workflow"}');
  const refused = await weft("push", folder);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("zbroken.json")]);
  expect(Object.keys(await named())).toEqual(["A workflow"]);
});
