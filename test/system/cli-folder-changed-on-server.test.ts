import { unlinkSync } from "node:fs";
import type { Json } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { openFolderStage, type FolderStage } from "../support/folder.ts";
import { writeProxy, type WriteProxy } from "../support/write-proxy.ts";

let place: FolderStage;
let between: WriteProxy;
beforeEach(async () => {
  place = await openFolderStage();
  between = await writeProxy(place.url);
});
afterEach(async () => {
  await between.close();
  place.remove();
});

const giving = (value: unknown) => definition([gives("a", value)]);
const post = async (path: string, body: Json): Promise<Json> =>
  (await place.api.post(`${place.space}/${path}`, body)).body;

/** One of each kind: the path of the resource, the key of its file, and what a colleague and a file make of it. */
async function everything() {
  const { id: workflowId } = await post("workflows", { name: "Orders", definition: giving(1) });
  const schedule = await post("schedules", { workflowId, cronExpr: "0 1 * * *" });
  const webhook = await post("webhooks", { workflowId, name: "In" });
  await place.api.patch(`${place.space}/variables`, { set: { n: 1 } });
  const at = (path: string) => `${place.space}/${path}`;
  return [
    {
      key: "schedules/orders",
      path: at(`schedules/${schedule.id}`),
      theirs: { input: "theirs" },
      mine: { input: "m" },
    },
    { key: "webhooks/in", path: at(`webhooks/${webhook.id}`), theirs: { name: "Theirs" }, mine: { name: "Mine" } },
    {
      key: "variables",
      path: at("variables"),
      theirs: { set: { n: 2, theirs: true } },
      mine: { values: { n: 3 } },
    },
    {
      key: "workflows/orders",
      path: at(`workflows/${workflowId}`),
      theirs: { name: "Theirs" },
      mine: { name: "Mine" },
    },
  ];
}

/** A push in which a colleague changes the resource after it was compared, right before the request that would change it. */
async function overtakenPush(person: ReturnType<FolderStage["person"]>, path: string, theirs: Json) {
  let meanwhile: Promise<unknown> | undefined;
  between.before(async ({ url = "" }) => {
    if (!meanwhile && url.startsWith(path)) await (meanwhile = place.api.patch(path, theirs));
  });
  const pushed = await person.weft("push");
  expect(meanwhile).toBeDefined();
  return pushed;
}

it("overwrites nothing that changed on the server during the push", async () => {
  const ada = place.person("ada", { WEFT_URL: between.url });
  const all = await everything();
  await ada.ok("pull");
  for (const { key, path, theirs, mine } of all) {
    ada.write(key, { ...ada.read(key), ...mine });
    const refused = await overtakenPush(ada, path, theirs);
    expect([key, refused.code, refused.stderr]).toEqual([key, 1, expect.stringContaining(`! ${key}`)]);
    const { set, ...fields } = theirs as Json;
    const kept = (await place.api.get(path)).body;
    expect(key === "variables" ? kept.values : kept).toMatchObject(set ?? fields);
    // Pushed again, it is a change on both sides, which --force overwrites.
    const again = await ada.weft("push");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`! ${key}  changed on both sides`)]);
    expect(await ada.ok("push", "--force")).toEqual([`~ ${key}`]);
  }
});

it("removes nothing that changed on the server during the push", async () => {
  const ada = place.person("ada", { WEFT_URL: between.url });
  const all = await everything();
  await ada.ok("pull");
  for (const { key, path, theirs } of all) {
    unlinkSync(ada.fileOf(key));
    const refused = await overtakenPush(ada, path, theirs);
    expect([key, refused.code, refused.stderr]).toEqual([key, 1, expect.stringContaining(`! ${key}`)]);
    const { status, body } = await place.api.get(path);
    expect([status, body.status ?? "active"]).toEqual([200, "active"]);
    await ada.ok("pull", "--force");
    expect(ada.read(key)).toMatchObject(key === "variables" ? { values: { n: 2 } } : theirs);
  }
});
