import fc from "fast-check";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import type { StepEntry } from "../../core/run/entry.ts";
import { isKeyConflict } from "../../services/executions/engine/create-execution.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import { definition, gives, node } from "../support/definition.ts";
import { EngineStage, workspaceId } from "../support/engine-stage.ts";
import { KILLED } from "../support/cut-off-store.ts";
import { until } from "../support/service-node.ts";

// Pure steps are performed before their start is on disk; what has an effect outside begins behind all that came before.

let stage: EngineStage;
beforeAll(async () => {
  stage = await EngineStage.open();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stage.clear();
});
afterAll(() => stage.close());

/** However busy the machine is, the time that a run may take in memory does not pass. */
const stopClock = () => jest.spyOn(performance, "now").mockReturnValue(performance.now());

const call = (id: string) => node(id, "http", { url: `http://example.com/${id}` });
const shown = (entries: readonly StepEntry[]) => entries.map(({ event, nodeId = "" }) => `${event} ${nodeId}`.trim());

/** The store with another `write`. */
const storeWith = (store: Store, write: Store["write"]): Store => ({
  register: specs => store.register(specs),
  tenant: (spec, id) => store.tenant(spec, id),
  global: spec => store.global(spec),
  acrossTenants: spec => store.acrossTenants(spec),
  write,
  embedded: store.embedded,
  space: () => store.space(),
  ping: () => store.ping(),
  close: () => Promise.resolve(),
});

/** A store that remembers what is written together. */
const recorded = (store: Store, written: (readonly WriteOp[])[]): Store =>
  storeWith(store, ops => {
    written.push(ops);
    return store.write(ops);
  });

const namesOf = (ops: readonly WriteOp[]) =>
  ops.map(op => (op.kind === "index" ? op.kind : `${op.kind} ${op.layout.name}`));

const PURE = definition(
  [
    gives("a", "{{ input.n }}"),
    node("if", "condition", { if: "{{ steps.a > 1 }}" }),
    gives("yes", "{{ $string(steps.a) & '!' }}"),
    gives("no", null),
    node("end", "respond", { body: "{{ steps.yes }}" }),
  ],
  "a > if",
  "if:true > yes",
  "if:false > no",
  "yes > end",
);

test("stores a run of pure steps by one append and one document, and tells its caller of the end", async () => {
  const written: (readonly WriteOp[])[] = [];
  const engine = await stage.startEngine(PURE, recorded(stage.store, written));
  stopClock();
  const { id, ended } = await stage.begin(engine, { n: 42 });
  expect(ended).toMatchObject({ doc: { id, status: "completed" }, state: { output: "42!" } });
  expect(written.map(namesOf)).toEqual([["insert journal", "insert executions"]]);
  expect(await stage.executions.get({ id })).toMatchObject({ status: "completed", finishedAt: expect.any(Date) });
  const entries = await stage.entries(id);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
  expect(shown(entries)).toEqual([
    "execution.started",
    "step.started a",
    "step.completed a",
    "step.started if",
    "step.completed if",
    "step.skipped no",
    "step.started yes",
    "step.completed yes",
    "step.started end",
    "step.completed end",
    "execution.completed",
  ]);
});

test("a run that fails at once is stored as failed, with the work that its failure leads to", async () => {
  const engine = await stage.startEngine(definition([gives("a", 1), node("f", "fail", { message: "No." })], "a > f"));
  stopClock();
  const { id, ended } = await stage.begin(engine);
  expect(ended?.doc).toMatchObject({ status: "failed", followUp: true, error: { message: "No." } });
  expect(await stage.executions.get({ id })).toMatchObject({ status: "failed", followUp: true });
});

test("a disabled step is skipped in memory, even if it would reach outside", async () => {
  const engine = await stage.startEngine(
    definition([gives("a", 1), { ...call("off"), disabled: true }, gives("b", 2)], "a > off", "off > b"),
  );
  stopClock();
  expect((await stage.begin(engine)).ended?.state.output).toBe(2);
  expect(stage.calls).toHaveLength(0);
});

const keyed = (key: string) => ({ ...stage.newDoc(), key, openKey: key });

test("stores a run with a key by one append too, and leaves the key free", async () => {
  const written: (readonly WriteOp[])[] = [];
  const engine = await stage.startEngine(definition([gives("a", 1)]), recorded(stage.store, written));
  stopClock();
  for (let runs = 0; runs < 2; runs++) {
    const { id, ended } = await stage.begin(engine, null, keyed("k"));
    expect(ended?.doc).toMatchObject({ id, status: "completed", key: "k" });
    expect(ended?.doc.openKey).toBeUndefined();
    expect(await stage.executions.get({ id })).not.toHaveProperty("openKey");
  }
  const once = ["insert journal", "insert executions"];
  expect(written.map(namesOf)).toEqual([once, once]);
});

/** Asks where the input says so, and ends at once elsewhere. */
const MAY_ASK = definition(
  [gives("a", 1), node("if", "condition", { if: "{{ input.asks }}" }), node("ask", "human", { prompt: "?" })],
  "a > if",
  "if:true > ask",
);

test("while a run with the key is open, no other run is stored, not even one that would end at once", async () => {
  const engine = await stage.startEngine(MAY_ASK);
  stopClock();
  const { id } = await stage.begin(engine, { asks: true }, keyed("k"));
  const refused = keyed("k");
  await expect(stage.begin(engine, { asks: false }, refused)).rejects.toMatchObject({
    fields: expect.arrayContaining(["openKey"]),
  });
  expect(await stage.executions.get({ id: refused.id })).toBeNull();
  expect(await stage.entries(refused.id)).toEqual([]);
  expect(engine.isHeld(refused.id)).toBe(false);
  expect(await stage.executions.get({ id })).toMatchObject({ openKey: "k" });
});

test("keeps one of several runs with the same keys open at a time, over two workers", async () => {
  const isConflict = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === "rejected" && isKeyConflict(outcome.reason);
  const starts = fc.array(fc.record({ key: fc.constantFrom("x", "y"), asks: fc.boolean(), other: fc.boolean() }), {
    minLength: 2,
    maxLength: 12,
  });
  const engines = [await stage.startEngine(MAY_ASK), await stage.startEngine(MAY_ASK)] as const;
  await fc.assert(
    fc.asyncProperty(starts, async wanted => {
      const docs = wanted.map(({ key }) => keyed(key));
      const begun = await Promise.allSettled(
        wanted.map(({ asks, other }, i) => stage.begin(engines[other ? 1 : 0], { asks }, docs[i])),
      );
      expect(begun.filter(outcome => outcome.status === "rejected" && !isConflict(outcome))).toEqual([]);
      const at = begun.map((outcome, i) => ({
        ...wanted[i]!,
        isBegun: outcome.status === "fulfilled",
        id: docs[i]!.id,
      }));
      for (const key of ["x", "y"]) {
        const mine = at.filter(one => one.key === key);
        const asking = mine.filter(({ asks, isBegun }) => asks && isBegun).map(({ id }) => id);
        if (mine.length > 0) expect(mine.some(({ isBegun }) => isBegun)).toBe(true);
        expect(asking.length).toBeLessThanOrEqual(1);
        const open = async () =>
          (await stage.executions.find({ openKey: key }, { limit: 10 })).items.map(({ id }) => id);
        await until(async () => (await open()).join() === asking.join());
      }
      for (const { isBegun, id } of at) expect((await stage.executions.get({ id })) !== null).toBe(isBegun);
      await stage.executions.remove({ id: { $in: docs.map(({ id }) => id) } });
    }),
    { numRuns: 40 },
  );
});

test("after a lost worker, a step is on disk as started before it is performed", async () => {
  const { store } = stage;
  const doc = stage.newDoc();
  const created = {
    seq: 0 as const,
    event: "execution.created" as const,
    at: doc.createdAt.toISOString(),
    input: null,
  };
  const append = new ExecutionJournal(store, workspaceId, doc.id).append({ ...created, trigger: doc.trigger });
  await store.write([append, stage.executions.ops.insert({ ...doc, queued: true, order: 0, lost: true })]);
  const written: (readonly WriteOp[])[] = [];
  stopClock();
  await stage.startEngine(definition([gives("a", 1), gives("b", 2)], "a > b"), recorded(store, written));
  await until(async () => (await stage.executions.get({ id: doc.id }))?.status === "completed");
  const made = written.filter(ops => namesOf(ops).includes("insert journal"));
  expect(made.map(namesOf)).toEqual([
    ["insert journal", "update executions"],
    ["insert journal", "update executions"],
  ]);
});

test("a long run of pure steps is appended in parts, each within its bounds", async () => {
  const ids = Array.from({ length: 600 }, (_, i) => `s${i}`);
  const links = ids.slice(1).map((id, i) => `${ids[i]} > ${id}`);
  const written: (readonly WriteOp[])[] = [];
  const engine = await stage.startEngine(
    definition(
      ids.map(id => gives(id, id)),
      ...links,
    ),
    recorded(stage.store, written),
  );
  const { id } = await stage.begin(engine);
  await until(async () => (await stage.executions.get({ id }))?.status === "completed");
  const sizes = written.flatMap(ops =>
    ops.flatMap(op =>
      op.kind === "insert" && op.layout.name === "journal"
        ? op.docs.map(({ json }) => (JSON.parse(json.entries ?? "[]") as unknown[]).length)
        : [],
    ),
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(410);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2 + 2 * ids.length + 1);
});

test("a chain whose outputs exceed one append is appended in parts, and ends", async () => {
  const ids = Array.from({ length: 80 }, (_, i) => `s${i}`);
  const links = ids.slice(1).map((id, i) => `${ids[i]} > ${id}`);
  const steps = ids.map(id => gives(id, "{{ input }}"));
  const engine = await stage.startEngine(definition(steps, ...links));
  const { id } = await stage.begin(engine, "x".repeat(250_000));
  const status = async () => (await stage.executions.get({ id }))?.status;
  await until(async () => ["completed", "failed"].includes((await status()) ?? ""));
  expect(await status()).toBe("completed");
});

/** A random acyclic graph of pure steps and of steps that call. */
const randomGraph = fc.integer({ min: 2, max: 8 }).chain(size =>
  fc.record({
    calls: fc.array(fc.boolean(), { minLength: size, maxLength: size }),
    links: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 12 }),
    cut: fc.nat(6),
  }),
);

test("wherever a worker is killed, each call begins after the earlier entries are stored, and each step ends once", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph, async ({ calls, links, cut }) => {
      const nodes = calls.map((isCall, i) => (isCall ? call(`n${i}`) : gives(`n${i}`, i)));
      const edges = links.filter(([a, b]) => a < b).map(([a, b]) => `n${a} > n${b}`);
      const wanted = definition(nodes, ...edges);
      const wrong: string[] = [];
      let id = "";
      const looks: Promise<void>[] = [];
      stage.called = url => {
        const nodeId = new URL(url).pathname.slice(1);
        const answer = stage.calls.at(-1);
        const look = async () => {
          const entries = await stage.entries(id);
          const settled = new Set(entries.filter(({ event }) => event === "step.completed").map(one => one.nodeId));
          if (!entries.some(one => one.event === "step.started" && one.nodeId === nodeId))
            wrong.push(`${nodeId} was called before its start was on disk`);
          for (const [a, b] of links)
            if (a < b && `n${b}` === nodeId && !settled.has(`n${a}`))
              wrong.push(`${nodeId} was called before n${a} ended`);
          if (settled.has(nodeId)) wrong.push(`${nodeId} was called again after it had ended`);
          answer?.();
        };
        looks.push(look());
      };
      let left = cut;
      const write = (ops: readonly WriteOp[]) =>
        left-- > 0 ? stage.store.write(ops) : Promise.reject(new Error(KILLED));
      const doomed = await stage.startEngine(wanted, storeWith(stage.store, write));
      const doc = stage.newDoc();
      id = doc.id;
      const began = await stage.begin(doomed, null, doc).then(
        () => true,
        () => false,
      );
      if (!began) {
        // A run that was never stored has no visible trace, whether it was performed or not.
        expect(await stage.executions.get({ id })).toBeNull();
        expect(await stage.entries(id)).toEqual([]);
      } else {
        await until(() => Promise.resolve(left < 0 || !doomed.isHeld(id)));
        // The worker is gone, and another takes over what it held.
        const engine = await stage.startEngine(wanted);
        await stage.executions.updateMany(
          { id, status: "running" },
          { $set: { queued: true, order: 0, lost: true }, $unset: { workerId: 1 } },
        );
        engine.poke();
        await until(async () => (await stage.executions.get({ id }))?.status === "completed");
        const entries = await stage.entries(id);
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
        const ends = entries.filter(({ event }) => event === "step.completed").map(({ nodeId }) => nodeId);
        expect(ends.toSorted()).toEqual(nodes.map(one => one.id).toSorted());
      }
      await Promise.all(looks);
      await stage.clear();
      expect(wrong).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
