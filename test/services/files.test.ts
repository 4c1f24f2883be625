import { globSync } from "node:fs";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import { config } from "../../config.ts";
import filesService from "../../services/files/files.service.ts";
import { fileHolds, files as collection, fileUsage } from "../../services/files/model.ts";
import { type FilesService, sweepFiles } from "../../services/files/sweep.ts";
import workflowsService from "../../services/workflows/workflows.service.ts";
import { ownDataDir, refusal, userIdentity, startServices, type ServiceNode, until } from "../support/service-node.ts";

ownDataDir();
process.env.LIMITS = "files=1000,file_bytes=1000";

const alive = new Set<string>();
const others: ServiceSchema[] = [
  { name: "workspaces", actions: { roleOf: () => ({ role: "editor", memberId: "m" }) } },
  { name: "pods", actions: { "spaces.exists": () => ({ exists: true }) } },
  { name: "audit", actions: { record: () => null } },
  {
    name: "executions",
    actions: { existing: ctx => ({ existing: (ctx.params as { ids: string[] }).ids.filter(id => alive.has(id)) }) },
  },
];

let node: ServiceNode;
let self: FilesService;
beforeAll(async () => {
  node = await startServices(filesService, workflowsService, ...others);
  self = node.service<FilesService>("files");
});
afterAll(() => node.stop());

function newRun(): string {
  const id = uuid();
  alive.add(id);
  return `execution:${id}`;
}

const HOUR = 3_600_000;
const sweep = (ms: number) => sweepFiles.call(self, new Date(Date.now() + ms));
const store = (workspaceId: string, content: string, more: object = {}) =>
  self.files.store(Readable.from([Buffer.from(content)]), { workspaceId, name: "a.txt", type: "text/plain", ...more });
const read = async (workspaceId: string, id: string) => {
  const located = await self.files.locate(workspaceId, id);
  return text(self.files.read(workspaceId, located) as AsyncIterable<Buffer>);
};
const objectsOf = (workspaceId: string) => globSync(`files/${workspaceId}/*/*`, { cwd: config().DATA_DIR }).length;
const used = async (workspaceId: string) =>
  (await self.store.tenant(fileUsage, workspaceId).get({ id: workspaceId }))?.bytes ?? 0;

it("is removed a day after its upload when nothing holds it", async () => {
  const workspaceId = uuid();
  const { $file: file } = await store(workspaceId, "hello");
  await sweep(23 * HOUR);
  expect(await read(workspaceId, file.id)).toBe("hello");
  expect([objectsOf(workspaceId), await used(workspaceId)]).toEqual([1, 5]);
  await sweep(25 * HOUR);
  await expect(read(workspaceId, file.id)).rejects.toEqual(refusal("not_found"));
  expect([objectsOf(workspaceId), await used(workspaceId)]).toEqual([0, 0]);
});

it("is kept until a day after its last run ends", async () => {
  const workspaceId = uuid();
  const owners = [newRun(), newRun()];
  const { $file: file } = await store(workspaceId, "held", { owner: owners[0] });
  expect(await self.files.hold(workspaceId, [file.id, uuid()], owners[1]!)).toEqual([file.id]);
  await sweep(48 * HOUR);
  await node.act(null, "files.release", { workspaceId, owners: [owners[0]!] });
  await sweep(48 * HOUR);
  expect(await read(workspaceId, file.id)).toBe("held");
  await node.act(null, "files.release", { workspaceId, owners: [owners[1]!] });
  await sweep(23 * HOUR);
  expect(await read(workspaceId, file.id)).toBe("held");
  await sweep(48 * HOUR);
  await expect(read(workspaceId, file.id)).rejects.toEqual(refusal("not_found"));
});

it("is not held by a run that was not stored", async () => {
  const workspaceId = uuid();
  const { $file: file } = await store(workspaceId, "cut off", { owner: `execution:${uuid()}` });
  await sweep(2 * HOUR);
  expect(await self.store.tenant(fileHolds, workspaceId).count({})).toBe(0);
  await sweep(48 * HOUR);
  await expect(read(workspaceId, file.id)).rejects.toEqual(refusal("not_found"));
});

it("is kept while a workflow exists whose definition names or has named it", async () => {
  const workspaceId = uuid();
  const scope = { workspaceId, spaceId: workspaceId };
  const { $file: file } = await store(workspaceId, "named");
  const definition = { nodes: [{ id: "a", type: "transform", data: { value: { $file: file } } }], edges: [] };
  const ada = userIdentity();
  const { id } = await node.act(ada, "workflows.create", { ...scope, name: "w" });
  await node.act(ada, "workflows.update", { ...scope, id, definition });
  await node.act(ada, "workflows.update", { ...scope, id, definition: { nodes: [], edges: [] } });
  await sweep(48 * HOUR);
  expect(await read(workspaceId, file.id)).toBe("named");
  await node.act(null, "workflows.purge", { workspaceId });
  await sweep(96 * HOUR);
  await sweep(144 * HOUR);
  await expect(read(workspaceId, file.id)).rejects.toEqual(refusal("not_found"));
});

it("of a request is removed soon when no run holds it", async () => {
  const workspaceId = uuid();
  const { $file: refused } = await store(workspaceId, "refused", { brief: true });
  const { $file: taken } = await store(workspaceId, "taken", { brief: true });
  await self.files.hold(workspaceId, [taken.id], newRun());
  await sweep(HOUR / 2);
  await expect(read(workspaceId, refused.id)).rejects.toEqual(refusal("not_found"));
  expect(await read(workspaceId, taken.id)).toBe("taken");
});

it("cannot be held by another workspace", async () => {
  const { $file: file } = await store(uuid(), "elsewhere");
  expect(await self.files.hold(uuid(), [file.id], `execution:${uuid()}`)).toEqual([]);
  await expect(self.files.locate(uuid(), file.id)).rejects.toEqual(refusal("not_found"));
});

it("is kept if it is uploaded again or held during the sweep", async () => {
  const workspaceId = uuid();
  const { $file: file } = await store(workspaceId, "raced");
  const holds = self.store.tenant(fileHolds, workspaceId);
  const owner = newRun();
  const tenant = self.store.tenant.bind(self.store);
  // Between the count of the holds and the removal, another caller holds the file.
  const spy = jest.spyOn(self.store, "tenant").mockImplementation(((spec: typeof fileHolds, id: string) => {
    const found = tenant(spec, id);
    if (spec.name !== fileHolds.name || id !== workspaceId) return found;
    return Object.assign(Object.create(found) as typeof found, {
      count: async () => {
        spy.mockRestore();
        await self.files.hold(workspaceId, [file.id], owner);
        return 0;
      },
    });
  }) as never);
  await sweep(25 * HOUR);
  expect(await read(workspaceId, file.id)).toBe("raced");
  expect(await holds.count({})).toBe(1);
});

it("can be stored again while its old content is being removed", async () => {
  const workspaceId = uuid();
  const { $file: first } = await store(workspaceId, "again");
  const { objects } = await self.files.vault();
  const remove = objects.remove.bind(objects);
  let second = "";
  const spy = jest.spyOn(objects, "remove").mockImplementation(async name => {
    if (!name.startsWith(workspaceId)) return remove(name);
    spy.mockRestore();
    second = (await store(workspaceId, "again")).$file.id;
    await remove(name);
  });
  await sweep(25 * HOUR);
  expect(second).not.toBe(first.id);
  expect(await read(workspaceId, second)).toBe("again");
});

it("leaves nothing after an interrupted removal or upload", async () => {
  const workspaceId = uuid();
  await store(workspaceId, "removed");
  const { objects } = await self.files.vault();
  const remove = objects.remove.bind(objects);
  const spy = jest.spyOn(objects, "remove").mockImplementation(name => {
    if (!name.startsWith(workspaceId)) return remove(name);
    return Promise.reject(new Error("killed"));
  });
  await sweep(25 * HOUR);
  spy.mockRestore();
  const { id } = await node.act(null, "files.reserve", { workspaceId });
  await self.files.put({ workspaceId, id }, Readable.from([Buffer.from("left")]));
  expect(objectsOf(workspaceId)).toBe(2);
  await sweep(50 * HOUR);
  await until(() => objectsOf(workspaceId) === 0);
  expect(await self.store.tenant(collection, workspaceId).count({})).toBe(0);
  expect(await used(workspaceId)).toBe(0);
});

it("is stored once when many clients send it at the same time", async () => {
  const workspaceId = uuid();
  const ids = await Promise.all(Array.from({ length: 12 }, () => store(workspaceId, "together")));
  expect(new Set(ids.map(({ $file }) => $file.id)).size).toBe(1);
  expect(await used(workspaceId)).toBe(8);
  expect(objectsOf(workspaceId)).toBe(1);
});

it("is rejected and leaves nothing if it exceeds the quota", async () => {
  const workspaceId = uuid();
  await store(workspaceId, "x".repeat(900));
  await expect(store(workspaceId, "y".repeat(200))).rejects.toEqual(refusal("limit_reached"));
  await until(() => objectsOf(workspaceId) === 1);
  await expect(store(workspaceId, "y".repeat(200), { maxBytes: 100 })).rejects.toEqual(refusal("payload_too_large"));
  await until(() => objectsOf(workspaceId) === 1);
  expect(await used(workspaceId)).toBe(900);
});

it("is purged with its workspace", async () => {
  const [workspaceId, other] = [uuid(), uuid()];
  await store(workspaceId, "one", { owner: `execution:${uuid()}` });
  await store(other, "one");
  await node.act(null, "files.purge", { workspaceId });
  expect([objectsOf(workspaceId), objectsOf(other)]).toEqual([0, 1]);
  for (const spec of [collection, fileHolds, fileUsage] as const)
    expect(await self.store.tenant(spec as typeof fileHolds, workspaceId).count({})).toBe(0);
});

it("of a run is not in the list of files", async () => {
  const workspaceId = uuid();
  const { $file: value } = await self.files.storeValue(Readable.from([Buffer.from("[1]")]), { workspaceId });
  const { $file: file } = await store(workspaceId, "listed");
  const { items } = await node.act(userIdentity(), "files.list", { workspaceId });
  expect(items.map(({ id }) => id)).toEqual([file.id]);
  await expect(node.act(userIdentity(), "files.remove", { workspaceId, id: value.id })).rejects.toEqual(
    refusal("not_found"),
  );
});
