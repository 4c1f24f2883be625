import { createDocument, setMeta } from "../../console/builder/document/index.ts";
import { DraftSaver } from "../../console/builder/draft-saver.ts";
import { baseOf, type Draft, type SaverPorts } from "../../console/builder/draft.ts";
import type { StoredWorkflow } from "../../console/data/workflow-types.ts";
import { definition, node } from "../support/definition.ts";

const DEFINITION = definition([node("start", "trigger")]);
const STALE = new Error("stale");
const AWAY = new Error("away");
const REFUSED = new Error("refused");

const stored = (version: number, etag: string, name = "Orders") =>
  ({ workflow: { version, name, description: "", definition: DEFINITION }, etag }) as StoredWorkflow;

/** A promise that the test settles. */
const pending = <T>() => Promise.withResolvers<T>();

/** A saver of an unchanged document, and what its ports were called with, in order. */
function setUp(change: Partial<SaverPorts> = {}) {
  const calls: string[] = [];
  const drafts: Draft[] = [];
  const doc = createDocument(DEFINITION, { name: "Orders", description: "" });
  const ports: SaverPorts = {
    save({ name = "Orders", message }, etag) {
      calls.push(["save", name, etag, message].filter(Boolean).join(" "));
      return Promise.resolve(stored(2, "two", name));
    },
    newest: () => Promise.resolve(stored(1, "one")),
    keepHere(draft) {
      calls.push("here");
      drafts.push(draft);
      return Promise.resolve();
    },
    dropHere: () => Promise.resolve(void calls.push("drop here")),
    keepThere: () => Promise.resolve(void calls.push("there")),
    dropThere: () => Promise.resolve(void calls.push("drop there")),
    isConflict: error => error === STALE,
    mayPass: error => error === AWAY,
    words: error => (error as Error).message,
    ...change,
  };
  const saver = new DraftSaver(doc, baseOf(stored(1, "one")), ports);
  const type = (name: string) => doc.apply(setMeta({ name }));
  return { saver, type, calls, drafts };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe("a draft", () => {
  it("is stored in the browser soon, and on the service after a pause", async () => {
    const { saver, type, calls, drafts } = setUp();
    type("Bells");
    expect(saver.getState()).toEqual({ kind: "typing" });
    await pass(500);
    expect(saver.getState()).toEqual({ kind: "here" });
    expect(drafts[0]).toMatchObject({ baseVersion: 1, meta: { name: "Bells" } });
    await pass(4_500);
    expect(saver.getState()).toEqual({ kind: "kept" });
    expect(calls).toEqual(["here", "here", "there"]);
  });

  it("is stored on the service if the browser is full, and its label names the place", async () => {
    const { saver, type, calls } = setUp({ keepHere: () => Promise.reject(new Error("no room")) });
    type("Bells");
    await pass(500);
    expect(saver.getState()).toEqual({ kind: "failed", why: "no room", kept: false });
    await pass(4_500);
    expect(saver.getState()).toEqual({ kind: "kept" });
    expect(calls).toEqual(["there"]);
  });

  it("stays in the browser while the service is away, and is sent when it is back", async () => {
    let away = true;
    let tries = 0;
    const { saver, type } = setUp({ keepThere: () => (tries++, away ? Promise.reject(AWAY) : Promise.resolve()) });
    type("Bells");
    await pass(10_000);
    expect(saver.getState()).toEqual({ kind: "here" });
    await pass(600_000);
    // The waits grow, to a minute.
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(16);
    away = false;
    saver.retry();
    await pass(0);
    expect(saver.getState()).toEqual({ kind: "kept" });
    const sent = tries;
    await pass(600_000);
    expect(tries).toBe(sent);
  });

  it("is sent again at once if the service comes back before the failure of a request arrives", async () => {
    const first = pending<void>();
    const sent = [first.promise, Promise.resolve()];
    const { saver, type } = setUp({ keepThere: () => sent.shift()! });
    type("Bells");
    await pass(5_000);
    saver.retry();
    first.reject(AWAY);
    await pass(0);
    expect(saver.getState()).toEqual({ kind: "kept" });
  });

  it("is sent again after the shortest wait if a save reached the service since the last failure", async () => {
    let away = true;
    const { saver, type } = setUp({ keepThere: () => (away ? Promise.reject(AWAY) : Promise.resolve()) });
    type("Bells");
    await pass(120_000);
    await saver.save();
    type("Whistles");
    await pass(5_000);
    away = false;
    await pass(10_000);
    expect(saver.getState()).toEqual({ kind: "kept" });
  });

  it("is not sent again before the next edit if the service rejects it", async () => {
    let tries = 0;
    const { type } = setUp({ keepThere: () => (tries++, Promise.reject(REFUSED)) });
    type("Bells");
    await pass(600_000);
    expect(tries).toBe(1);
    type("Whistles");
    await pass(600_000);
    expect(tries).toBe(2);
  });

  it("is sent after the previous one has arrived, so that the newest one stays", async () => {
    const sent: string[] = [];
    const first = pending<void>();
    const { type } = setUp({ keepThere: ({ meta }) => (sent.push(meta.name), first.promise) });
    type("Bells");
    await pass(5_000);
    type("Whistles");
    await pass(20_000);
    expect(sent).toEqual(["Bells"]);
    first.resolve();
    await pass(0);
    expect(sent).toEqual(["Bells", "Whistles"]);
  });

  it("is not sent again after it was handed over, until this tab edits again", async () => {
    let tries = 0;
    const { saver, type } = setUp({ keepThere: () => (tries++, Promise.reject(AWAY)) });
    type("Bells");
    await saver.handOver();
    await pass(600_000);
    expect(tries).toBe(1);
    type("Whistles");
    await pass(60_000);
    expect(tries).toBeGreaterThan(2);
  });

  it("includes the message about the change, which the version then has", async () => {
    const { saver, type, calls, drafts } = setUp();
    type("Bells");
    await pass(500);
    saver.setMessage(" Louder ");
    await pass(500);
    expect(drafts.at(-1)).toMatchObject({ message: " Louder " });
    await saver.save();
    expect(calls).toContain("save Bells one Louder");
    expect(saver.getMessage()).toBe("");
  });

  it("is removed when edits restore the saved version", async () => {
    const { saver, type, calls } = setUp();
    type("Bells");
    await pass(500);
    type("Orders");
    await pass(10_000);
    expect(saver.getState()).toEqual({ kind: "saved", version: 1 });
    expect(calls).toEqual(["here", "drop here", "drop there"]);
  });

  it("is stored by a flush, which writes nothing over the draft of another tab later", async () => {
    const { saver, type, calls } = setUp();
    type("Bells");
    await saver.flush();
    expect(calls).toEqual(["here", "here", "there"]);
    await pass(60_000);
    await saver.flush();
    expect(calls).toHaveLength(3);
  });

  it("is awaited by a flush while it is being stored in the browser", async () => {
    const write = pending<void>();
    let writes = 0;
    const { saver, type } = setUp({ keepHere: () => (++writes === 1 ? write.promise : Promise.resolve()) });
    type("Bells");
    await pass(500);
    const flushed = jest.fn();
    const flush = saver.flush().then(flushed);
    await pass(0);
    expect(flushed).not.toHaveBeenCalled();
    write.resolve();
    await flush;
    expect(writes).toBe(2);
  });

  it("is stored by a flush on the new version if it changed during a save", async () => {
    const answer = pending<StoredWorkflow>();
    const { saver, type, drafts } = setUp({ save: () => answer.promise });
    type("Bells");
    void saver.save();
    type("Whistles");
    const flush = saver.flush();
    await pass(0);
    answer.resolve(stored(2, "two", "Bells"));
    await flush;
    expect(drafts.at(-1)).toMatchObject({ baseVersion: 2, meta: { name: "Whistles" } });
  });

  it("is removed after it arrived if it was on its way to the service", async () => {
    const sent = pending<void>();
    const { saver, type, calls } = setUp({ keepThere: () => sent.promise });
    type("Bells");
    await pass(5_000);
    await saver.save();
    await pass(0);
    expect(calls).not.toContain("drop there");
    sent.resolve();
    await pass(0);
    expect(calls.slice(-2)).toEqual(["drop here", "drop there"]);
  });
});

describe("a save", () => {
  it("sends the changes with the tag, and removes the draft", async () => {
    const { saver, type, calls } = setUp();
    type("Bells");
    await expect(saver.save()).resolves.toBe(true);
    await pass(60_000);
    expect(saver.getState()).toEqual({ kind: "saved", version: 2 });
    expect(calls.slice(0, 3)).toEqual(["save Bells one", "drop here", "drop there"]);
    expect(calls).not.toContain("there");
  });

  it("sends one request, however often it is called", async () => {
    const { saver, type, calls } = setUp();
    type("Bells");
    await expect(Promise.all([saver.save(), saver.save()])).resolves.toEqual([true, true]);
    expect(calls.filter(call => call.startsWith("save"))).toHaveLength(1);
  });

  it("sends later changes too if it is called during another save", async () => {
    const answers = [pending<StoredWorkflow>(), pending<StoredWorkflow>()];
    const names: (string | undefined)[] = [];
    const { saver, type } = setUp({ save: ({ name }) => answers[names.push(name) - 1]!.promise });
    type("Bells");
    const first = saver.save();
    type("Whistles");
    const second = saver.save();
    answers[0]!.resolve(stored(2, "two", "Bells"));
    await expect(first).resolves.toBe(true);
    expect(names).toEqual(["Bells", "Whistles"]);
    answers[1]!.resolve(stored(3, "three", "Whistles"));
    await expect(second).resolves.toBe(true);
    expect(saver.getState()).toEqual({ kind: "saved", version: 3 });
  });

  it("keeps the message for the next one if it fails", async () => {
    const said: (string | undefined)[] = [];
    const save: SaverPorts["save"] = ({ message }) =>
      said.push(message) === 1 ? Promise.reject(AWAY) : Promise.resolve(stored(2, "two"));
    const { saver, type } = setUp({ save });
    type("Bells");
    saver.setMessage("Louder");
    await saver.save();
    await saver.save();
    expect(said).toEqual(["Louder", "Louder"]);
  });

  it("keeps both drafts if it fails, and says why until the next edit", async () => {
    const { saver, type, calls } = setUp({ save: () => Promise.reject(AWAY) });
    type("Bells");
    await expect(saver.save()).resolves.toBe(false);
    expect(calls).toEqual(["here"]);
    await pass(10_000);
    expect(calls).toContain("there");
    expect(saver.getState()).toEqual({ kind: "failed", why: "away", kept: true });
    type("Whistles");
    await pass(5_000);
    expect(saver.getState()).toEqual({ kind: "kept" });
  });

  it("fails if the browser has no space either, and continues with the next one", async () => {
    let away = true;
    const { saver, type } = setUp({
      save: () => (away ? Promise.reject(AWAY) : Promise.resolve(stored(2, "two"))),
      keepHere: () => Promise.reject(new Error("no room")),
    });
    type("Bells");
    await expect(saver.save()).resolves.toBe(false);
    expect(saver.getState()).toMatchObject({ kind: "failed", kept: false });
    away = false;
    await expect(saver.save()).resolves.toBe(true);
    expect(saver.getState()).toEqual({ kind: "saved", version: 2 });
  });

  it("keeps changes made meanwhile as a draft on the new version, in both places", async () => {
    const answer = pending<StoredWorkflow>();
    const { saver, type, drafts, calls } = setUp({ save: () => answer.promise });
    type("Bells");
    const saved = saver.save();
    type("Whistles");
    saver.setMessage("Higher");
    await pass(6_000);
    expect(calls).not.toContain("there");
    answer.resolve(stored(2, "two", "Bells"));
    await expect(saved).resolves.toBe(true);
    await pass(10_000);
    expect(drafts.at(-1)).toMatchObject({ baseVersion: 2, meta: { name: "Whistles" }, message: "Higher" });
    expect(calls).toContain("there");
    expect(saver.getState()).toEqual({ kind: "kept" });
    expect(calls).not.toContain("drop there");
  });
});

describe("a save that meets another tag", () => {
  const refusing = (times: number, newest: StoredWorkflow) => {
    const tags: (string | undefined)[] = [];
    const save: SaverPorts["save"] = (_change, etag) =>
      tags.push(etag) > times ? Promise.resolve(stored(newest.workflow.version + 1, "saved")) : Promise.reject(STALE);
    return { tags, ports: { save, newest: () => Promise.resolve(newest) } };
  };

  it("tries again with that tag if the version is the same", async () => {
    const { tags, ports } = refusing(1, stored(1, "starred"));
    const { saver, type } = setUp(ports);
    type("Bells");
    await expect(saver.save()).resolves.toBe(true);
    expect(tags).toEqual(["one", "starred"]);
    expect(saver.getConflict()).toBeUndefined();
  });

  it("recognises its own version after a lost answer, and saves later changes", async () => {
    const saves: string[] = [];
    const save: SaverPorts["save"] = ({ name }, etag) => {
      saves.push(`${name} ${etag}`);
      if (saves.length === 1) return Promise.reject(AWAY);
      return etag === "one" ? Promise.reject(STALE) : Promise.resolve(stored(3, "three", name));
    };
    const { saver, type } = setUp({ save, newest: () => Promise.resolve(stored(2, "two", "Bells")) });
    type("Bells");
    await expect(saver.save()).resolves.toBe(false);
    type("Whistles");
    await expect(saver.save()).resolves.toBe(true);
    expect(saves).toEqual(["Bells one", "Whistles one", "Whistles two"]);
    expect(saver.getState()).toEqual({ kind: "saved", version: 3 });
  });

  it("creates no further version if that version has the same content", async () => {
    const { tags, ports } = refusing(1, stored(7, "seven", "Bells"));
    const { saver, type } = setUp(ports);
    type("Bells");
    await expect(saver.save()).resolves.toBe(true);
    expect(tags).toEqual(["one"]);
    expect(saver.getState()).toEqual({ kind: "saved", version: 7 });
  });

  it("fails in the end if the tag changes again and again", async () => {
    const { tags, ports } = refusing(100, stored(1, "starred"));
    const { saver, type } = setUp(ports);
    type("Bells");
    await expect(saver.save()).resolves.toBe(false);
    expect(tags).toHaveLength(5);
    expect(saver.getState()).toEqual({ kind: "failed", why: "stale", kept: true });
  });

  it("keeps the draft, asks, and saves after the merge if the version is another one", async () => {
    const { tags, ports } = refusing(1, stored(7, "seven"));
    const { saver, type, calls } = setUp(ports);
    type("Bells");
    await expect(saver.save()).resolves.toBe(false);
    expect(saver.getConflict()).toMatchObject({ base: { version: 1 }, theirs: { version: 7 } });
    await pass(10_000);
    expect(calls).toContain("there");
    saver.rebase(saver.getConflict()!.theirs);
    await expect(saver.save()).resolves.toBe(true);
    expect(tags).toEqual(["one", "seven"]);
    expect(saver.getState()).toEqual({ kind: "saved", version: 8 });
  });

  it("keeps the draft if the user postpones the merge", async () => {
    const { ports } = refusing(1, stored(7, "seven"));
    const { saver, type, drafts } = setUp(ports);
    type("Bells");
    await saver.save();
    saver.dismiss();
    await pass(0);
    expect(saver.getConflict()).toBeUndefined();
    expect(saver.getState()).toEqual({ kind: "here" });
    expect(drafts.at(-1)).toMatchObject({ baseVersion: 1, meta: { name: "Bells" } });
  });
});
