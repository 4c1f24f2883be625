import { Long, MongoClient, type Timestamp } from "mongodb";
import { openBackend } from "../../adapters/jobs/backend.ts";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { checkMongoAddress, mongoOptions } from "../../adapters/store/mongo/mongo-options.ts";
import type { Doc, Store } from "../../adapters/store/port.ts";
import { Schema } from "../../adapters/store/schema.ts";
import { cursorOf, FakeMongo } from "../support/fake-mongo.ts";
import { items, slots } from "./collections.ts";

const define = (name: string) =>
  collectionOfSchema<Doc & { name: string }>({ name, schema: new Schema({ name: String }), tenant: false });
/** Nothing that this file imports loads Mongoose: the store does, when it is opened. */
const definedFirst = define("first");

const SECRET = "hunter2";
const RELAXED = "w=0&journal=false&readConcernLevel=local&readPreference=secondary&retryWrites=false";

let server: FakeMongo;
let uri: string;
let warnings: string[];
let store: Store;
beforeEach(async () => {
  server = new FakeMongo();
  uri = await server.listen();
  warnings = [];
});
afterEach(async () => {
  await store?.close();
  await server.close();
});
async function open(more = "", slowMs = 0): Promise<Store> {
  store = await openStore({
    mongodbUri: uri + more,
    dataDir: "",
    sync: "normal",
    collections: [items, slots],
    slowMs,
    warn: message => warnings.push(message),
  });
  return store;
}
const slot = { id: "a", key: "k", seq: 1 };

describe("a command to MongoDB", () => {
  it.each(["", `&${RELAXED}`])("is acknowledged by a majority, even if the URL says otherwise: %j", async more => {
    const docs = (await open(more)).global(slots);
    await docs.insert(slot);
    await docs.updateOne({ id: "a" }, { $set: { seq: 2 } });
    await docs.updateMany({}, { $inc: { seq: 1 } });
    await docs.remove({});
    const [insert, findAndModify, update, remove] = ["insert", "findAndModify", "update", "delete"].map(
      name => server.of(name)[0]!,
    );
    for (const command of [insert, findAndModify, update, remove])
      expect(command).toMatchObject({ writeConcern: { w: "majority", j: true, wtimeout: 10_000 } });
    // What a server knows again when it comes twice.
    for (const command of [insert, findAndModify]) expect(command).toHaveProperty("txnNumber");
    for (const command of [findAndModify, update, remove]) {
      const [statement] = ((command!.updates ?? command!.deletes) as object[] | undefined) ?? [command];
      expect({ ...statement, ...command }).toHaveProperty("maxTimeMS", 10_000);
    }
  });

  it("is an update of a collection, whether it is defined before or after Mongoose is loaded", async () => {
    expect(definedFirst.schema).toHaveProperty("base", null);
    const opened = await open();
    const definedLater = define("later");
    await opened.register([definedFirst, definedLater]);
    server.answers.findAndModify = () => ({ value: { _id: "a", name: "new" } });
    for (const spec of [definedFirst, definedLater]) {
      const docs = opened.global(spec);
      expect(await docs.updateOne({ id: "a" }, { $set: { name: "new" } })).toEqual({ id: "a", name: "new" });
      await docs.updateMany({}, { $set: { name: "newer" } });
    }
    expect(server.of("updates").map(({ update }) => update)).toEqual(["first", "later"]);
  });

  it("is checked by a write in a ping, since a read-only server answers all other commands", async () => {
    await open();
    await store.ping();
    expect(server.of("updates").at(-1)).toMatchObject({ writeConcern: { w: "majority", j: true } });
    server.answers.update = () => ({ writeErrors: [{ index: 0, code: 8, errmsg: "user writes are blocked" }], n: 0 });
    await expect(store.ping()).rejects.toMatchObject({ code: "store_unavailable" });
    server.answers.update = () => ({
      n: 1,
      writeConcernError: { code: 64, errmsg: "waiting for replication timed out" },
    });
    await expect(store.ping()).rejects.toMatchObject({ code: "store_timeout" });
  });

  it("is read from a majority, after what this node has written, and never without an end", async () => {
    const docs = (await open(`&${RELAXED}`)).global(slots);
    await docs.insert(slot);
    server.answers.aggregate = () => ({});
    await docs.find({ key: "k" }, { limit: 5 });
    await docs.count({});
    await docs.tally({}, "key");
    const [find, ...others] = [...server.of("find"), ...server.of("aggregate")];
    expect(others).toHaveLength(2);
    // In one answer, since the driver does not continue a cursor after a failover.
    expect(find).toMatchObject({ limit: 6, batchSize: 7 });
    for (const command of [find, ...others]) {
      const { level, afterClusterTime } = command!.readConcern as { level: string; afterClusterTime: Timestamp };
      expect(level).toBe("majority");
      expect(afterClusterTime.toNumber()).toBeGreaterThan(0);
      expect(command).toMatchObject({ maxTimeMS: 10_000 });
      expect(command).not.toHaveProperty("$readPreference.mode", "secondary");
    }
  });

  it("reads the first document by id where one is requested", async () => {
    const docs = (await open()).global(slots);
    await docs.get({ key: "k" });
    await docs.updateOne({ key: "k" }, { $set: { seq: 2 } });
    for (const [command] of [server.of("find"), server.of("findAndModify")])
      expect(command).toMatchObject({ sort: { _id: 1 } });
  });

  it("is not a removal when a bounded removal found nothing", async () => {
    expect(await (await open()).global(slots).remove({ key: "k" }, { limit: 5 })).toBe(0);
    expect(server.of("find")).toHaveLength(1);
    expect(server.of("delete")).toEqual([]);
  });

  it("is acknowledged by a majority for scheduled jobs too, and each job is stored once", async () => {
    const taken = { ok: 0, code: 11000, errmsg: "E11000 duplicate key error" };
    server.answers.createIndexes = () => (server.of("createIndexes").length === 1 ? taken : {});
    server.answers.findAndModify = () => (server.of("findAndModify").length === 1 ? taken : {});
    const mongodbUri = `${uri}&${RELAXED}`;
    const backend = await openBackend({ store: undefined as never, mongodbUri }, error => warnings.push(String(error)));
    const indexes = server.of("createIndexes").flatMap(command => command.indexes as object[]);
    expect(indexes[1]).toMatchObject({ unique: true, partialFilterExpression: { type: "single" } });
    expect(server.of("delete")).toHaveLength(1);
    // Another node makes the same at the same moment.
    await backend.repository.saveJob({ name: "a", type: "single", priority: 0, nextRunAt: null, data: {} }, undefined);
    const [first, second] = server.of("findAndModify");
    expect(second).toMatchObject({ query: { name: "a", type: "single" }, upsert: true });
    expect(first).toMatchObject({ writeConcern: { w: "majority", j: true } });
    await backend.disconnect();
  });
});

describe("a pool of connections", () => {
  const optionsOf = (address: string) => new MongoClient(address, mongoOptions(address)).options;

  it("has limits, which the URL may change", () => {
    expect(optionsOf("mongodb://db/weft")).toMatchObject({
      ...{ maxPoolSize: 50, waitQueueTimeoutMS: 10_000, serverSelectionTimeoutMS: 5_000, retryWrites: true },
      ...{ readPreference: { mode: "primary" } },
    });
    expect(optionsOf("mongodb://db/weft?maxPoolSize=7&serverselectiontimeoutms=100")).toMatchObject({
      ...{ maxPoolSize: 7, serverSelectionTimeoutMS: 100 },
    });
  });

  it("takes credentials and TLS from the address", () => {
    const { credentials, tls, hosts } = optionsOf(`mongodb://me:p%40ss@a:1,b:2/weft?tls=true&authSource=admin`);
    expect(credentials).toMatchObject({ username: "me", password: "p@ss", source: "admin" });
    expect({ tls, hosts: hosts.map(String) }).toEqual({ tls: true, hosts: ["a:1", "b:2"] });
  });

  it.each([
    [`mongodb://${SECRET}:p@ss@db/weft`, "Invalid connection string"],
    [`mongodb://me:${SECRET}@db/weft?tls=perhaps`, "tls"],
    [`mongodb://me:${SECRET}@db/weft?colour=red`, "option colour is not supported"],
    [`mongodb://me:${SECRET}@db/weft?tls=true&tlsCAFile=/nowhere`, "cannot read /nowhere"],
  ])("refuses %s in one line without its secret", (address, reason) => {
    const check = () => checkMongoAddress(address);
    expect(check).toThrow(/^MONGODB_URI: [^\n]*$/);
    expect(check).toThrow(reason);
    expect(check).not.toThrow(SECRET);
  });
});

describe("indexes", () => {
  const primary = { v: 2, name: "_id_", key: { _id: 1 } };

  it("are created when they are missing, and not requested again otherwise", async () => {
    await open();
    const made = server.of("createIndexes").flatMap(({ indexes }) => indexes as { name: string }[]);
    expect(made.map(({ name }) => name)).toEqual([...items.layout.indexes, ...slots.layout.indexes].map(i => i.name));
    await store.close();
    const there = new Map(server.of("createIndexes").map(({ createIndexes, indexes }) => [createIndexes, indexes]));
    server.commands.length = 0;
    server.answers.listIndexes = ({ listIndexes }) => ({
      cursor: cursorOf([primary, ...(there.get(listIndexes) as object[]).map(index => ({ v: 2, ...index }))]),
    });
    await open();
    expect(server.of("listIndexes")).toHaveLength(2);
    expect(server.of("createIndexes")).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("without keys are a permanent error, not an unavailable server", async () => {
    server.answers.listIndexes = () => ({ cursor: cursorOf([{ v: 2, name: slots.layout.indexes[0]!.name }]) });
    await expect(open()).rejects.toMatchObject({ name: "TypeError" });
  });

  it("that differ only in name are accepted, because MongoDB would reject a second one", async () => {
    server.answers.listIndexes = () => ({
      cursor: cursorOf([{ v: 2, name: "mine", key: { key: 1, seq: 1 }, unique: true }]),
    });
    await open();
    const made = server.of("createIndexes").flatMap(({ indexes }) => indexes as { name: string }[]);
    expect(made.map(({ name }) => name)).not.toContain(slots.layout.indexes[0]!.name);
    expect(made).toHaveLength(items.layout.indexes.length + slots.layout.indexes.length - 1);
    expect(warnings).toEqual([]);
  });

  it("that differ are named, and the others are created", async () => {
    const { name } = slots.layout.indexes[0]!;
    server.answers.listIndexes = ({ listIndexes }) => ({
      cursor: cursorOf(listIndexes === "slots" ? [{ v: 2, name, key: { key: 1 } }] : []),
    });
    await open();
    expect(warnings).toEqual([
      `MongoDB: the index ${name} of slots is {"key":{"key":1}}, expected {"key":{"key":1,"seq":1},"unique":true}. ` +
        "Drop it at a quiet moment, and start Weft again.",
    ]);
    const made = server.of("createIndexes").find(({ createIndexes }) => createIndexes === "slots");
    expect((made!.indexes as object[]).length).toBe(slots.layout.indexes.length - 1);
  });
});

describe("an error of MongoDB in a write", () => {
  const duplicate = (index: number) => ({
    ...{ index, code: 11000, errmsg: "E11000 duplicate key error collection: weft.slots index: mine dup key: { … }" },
    keyPattern: { key: 1, seq: 1 },
  });
  const two = [slot, { ...slot, id: "b" }];

  it("is a conflict on the fields of the index, whatever its name is", async () => {
    const docs = (await open()).global(slots);
    server.answers.insert = () => ({ n: 0, writeErrors: [duplicate(0)] });
    await expect(docs.insert(slot)).rejects.toMatchObject({ code: "unique_conflict", fields: ["key", "seq"] });
    server.answers.insert = () => ({ n: 0, writeErrors: [{ ...duplicate(0), keyPattern: { _id: 1 } }] });
    await expect(docs.insert(slot)).rejects.toMatchObject({ code: "unique_conflict", fields: ["id"] });
  });

  it.each([
    ["conflicts alone", { writeErrors: [duplicate(1), duplicate(0)] }, { code: "unique_conflict", indexes: [0, 1] }],
    [
      "a server that is out of time",
      { ok: 0, code: 50, errmsg: "operation exceeded time limit" },
      { code: "store_timeout" },
    ],
    [
      "a conflict and a document that is too large",
      { writeErrors: [duplicate(0), { index: 1, code: 10334, errmsg: "too large" }] },
      { code: "invalid_document" },
    ],
    [
      "a conflict, and a majority that did not confirm the others",
      { writeErrors: [duplicate(0)], writeConcernError: { code: 64, errmsg: "waiting for replication timed out" } },
      { code: "store_timeout" },
    ],
    [
      "no majority that confirms",
      { writeConcernError: { code: 64, errmsg: "waiting for replication timed out" } },
      { code: "store_timeout" },
    ],
  ])("of a batch is reported as its most severe one: %s", async (_, answer, error) => {
    const docs = (await open()).global(slots);
    server.answers.insert = () => answer;
    await expect(docs.insertMany(two)).rejects.toMatchObject(error);
  });

  it("is retried as the same write on a newly elected primary when it concerns one document", async () => {
    const docs = (await open()).global(slots);
    const stepsDown = { ok: 0, code: 10107, errmsg: "not primary", errorLabels: ["RetryableWriteError"] };
    for (const name of ["insert", "findAndModify", "update"])
      server.answers[name] = () => (server.of(name).length % 2 === 1 ? stepsDown : {});
    await docs.insert(slot);
    await docs.updateOne({ id: "a" }, { $set: { seq: 2 } });
    for (const [first, second] of [server.of("insert"), server.of("findAndModify")])
      expect(second).toMatchObject({ txnNumber: first!.txnNumber, lsid: first!.lsid });
    await expect(docs.updateMany({}, { $set: { seq: 3 } })).rejects.toMatchObject({ code: "store_unavailable" });
  });

  it("in the middle of a page makes the page be read again", async () => {
    const docs = (await open()).global(slots);
    const first = { ...cursorOf([{ _id: "a", key: "k", seq: 1 }]), id: new Long(7) };
    server.answers.find = () => ({ cursor: first });
    const lost = { ok: 0, code: 43, errmsg: "cursor id 7 not found" };
    const rest = { cursor: { id: Long.ZERO, ns: "weft.slots", nextBatch: [{ _id: "b", key: "k", seq: 2 }] } };
    server.answers.getMore = () => (server.of("getMore").length === 1 ? lost : rest);
    const { items: found } = await docs.find({}, { limit: 5 });
    expect(found.map(({ id }) => id)).toEqual(["a", "b"]);
    server.answers.getMore = () => lost;
    await expect(docs.find({}, { limit: 5 })).rejects.toMatchObject({ code: "store_unavailable" });
    expect(server.of("find")).toHaveLength(4);
  });

  it("is reported as a timeout when the server does not answer in time", async () => {
    const docs = (await open("&socketTimeoutMS=50")).global(slots);
    server.delays.insert = 500;
    await expect(docs.insert(slot)).rejects.toMatchObject({ code: "store_timeout" });
  });
});

describe("slow queries", () => {
  it("are logged with the shape of their filter, and without its values", async () => {
    const docs = (await open("", 30)).global(slots);
    warnings.length = 0;
    server.delays.find = server.delays.update = server.delays.insert = 60;
    await docs.find(
      { key: SECRET, $or: [{ seq: { $in: [1, 2] } }, { email: SECRET }] },
      { sort: { seq: 1 }, limit: 1 },
    );
    await docs.updateMany({ key: SECRET }, { $set: { email: SECRET } });
    await docs.insert({ ...slot, key: SECRET });
    const told = warnings.map(message => message.replace(/took \d+ ms/, "took N ms"));
    expect(told).toEqual([
      expect.stringMatching(
        /^MongoDB took N ms: find slots, filter \{.*"key":"\?".*"\$in":"\? × 2".*\}, sort \{"seq":"\?","_id":"\?"\}$/,
      ),
      'MongoDB took N ms: update slots, q {"key":"?"}',
      "MongoDB took N ms: insert slots, 1 documents",
    ]);
    expect(warnings.join()).not.toContain(SECRET);
  });
});

describe("a standalone server", () => {
  it("is reported, because it cannot guarantee durability", async () => {
    server.answers.hello = () => ({ setName: null });
    await open();
    expect(warnings).toEqual([expect.stringContaining("not a member of a replica set")]);
  });
});

describe("an unavailable server", () => {
  it("is reported in one line, and so are rejected credentials", async () => {
    const address = uri.replace("//", `//me:${SECRET}@`);
    const none = { dataDir: "", sync: "normal" } as const;
    server.answers.saslStart = () => ({ ok: 0, code: 18, errmsg: "Authentication failed.", codeName: "x" });
    await expect(openStore({ mongodbUri: address, ...none })).rejects.toMatchObject({
      ...{ code: "store_unavailable", message: "MongoDB refuses the user name or password of MONGODB_URI" },
    });
    const nowhere = `mongodb://me:${SECRET}@127.0.0.1:1/?serverSelectionTimeoutMS=100`;
    await expect(openStore({ mongodbUri: nowhere, ...none })).rejects.toMatchObject({
      ...{ code: "store_unavailable", message: "cannot reach MongoDB: connect ECONNREFUSED 127.0.0.1:1" },
    });
  });
});
