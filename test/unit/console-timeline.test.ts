import type { Step } from "../../console/data/run-types.ts";
import { criticalPath } from "../../console/run/fold/critical-path.ts";
import { joined, timeScale } from "../../console/run/fold/timescale.ts";
import { ticksOf } from "../../console/run/timeline/ticks.ts";
import { durationText } from "../../console/messages/time.ts";
import { moved, scaled, spanFromText, spanText } from "../../console/run/timeline/zoom.ts";

describe("the scale of the timeline", () => {
  const day = 86_400_000;

  it("folds a pause that is longer than the work, and keeps the order of times", () => {
    const scale = timeScale({ from: 0, to: 3 * day }, [
      { from: 0, to: 40 },
      { from: 3 * day - 60, to: 3 * day },
    ]);
    expect(scale.segments.map(({ folded }) => folded)).toEqual([false, true, false]);
    expect(scale.at(40) - scale.at(0)).toBeGreaterThan(0.3);
    const places = [0, 20, 40, day, 3 * day - 60, 3 * day].map(ms => scale.at(ms));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, expect.closeTo(1)]);
  });

  it("folds nothing if work fills the time, and shows a run without steps", () => {
    expect(timeScale({ from: 0, to: 100 }, [{ from: 5, to: 95 }]).segments).toHaveLength(1);
    expect(timeScale({ from: 7, to: 7 }, []).at(7)).toBe(0);
  });

  it("returns the time at a position, also beside a fold", () => {
    const scale = timeScale({ from: 0, to: 3 * day }, [
      { from: 0, to: 40 },
      { from: 3 * day - 60, to: 3 * day },
    ]);
    for (const ms of [0, 17, 40, day, 3 * day - 60, 3 * day]) expect(scale.timeAt(scale.at(ms))).toBeCloseTo(ms, 3);
    expect([scale.timeAt(-1), scale.timeAt(2)]).toEqual([0, expect.closeTo(3 * day)]);
  });

  it("folds nothing of a period without work", () => {
    expect(timeScale({ from: day, to: 2 * day }, [{ from: 0, to: 40 }]).segments).toMatchObject([{ folded: false }]);
  });

  it("merges overlapping periods", () => {
    expect(
      joined([
        { from: 5, to: 9 },
        { from: 0, to: 6 },
        { from: 20, to: 21 },
      ]),
    ).toEqual([
      { from: 0, to: 9 },
      { from: 20, to: 21 },
    ]);
  });
});

describe("the visible period of the timeline", () => {
  const whole = { from: 1_000, to: 11_000 };

  it("is written to the address and read back", () => {
    const span = { from: 2_500, to: 4_000 };
    expect(spanText(span, whole)).toBe("1500-3000");
    expect(spanFromText("1500-3000", whole.from)).toEqual(span);
    expect(spanText(whole, whole)).toBeUndefined();
  });

  it.each([undefined, "", "5-5", "9-3", "a-b", "1-2-3", "-4-9", "1.5-9", `0-${"9".repeat(14)}`])(
    "is the whole run for the address %p",
    text => expect(spanFromText(text, 0)).toBeUndefined(),
  );

  it("stays inside the run", () => {
    expect(scaled({ from: 1_000, to: 3_000 }, 2, whole)).toEqual({ from: 1_000, to: 4_000 });
    expect(scaled({ from: 1_000, to: 1_001 }, 0.5, whole)).toEqual({ from: 1_000, to: 1_001.5 });
    expect(moved({ from: 9_000, to: 10_000 }, 5_000, whole)).toEqual({ from: 10_000, to: 11_000 });
    expect(moved({ from: 2_000, to: 3_000 }, -5_000, whole)).toEqual({ from: 1_000, to: 2_000 });
  });
});

describe("the critical path", () => {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const step = (nodeId: string, from: number | null, to: number | null, more: Partial<Step> = {}): Step => ({
    nodeId,
    name: nodeId,
    type: "transform",
    status: "completed",
    attempt: 1,
    attempts: 1,
    startedAt: at(from),
    finishedAt: at(to),
    durationMs: null,
    error: null,
    outputBytes: null,
    preview: null,
    ...more,
  });
  const edges = (...pairs: string[]) =>
    pairs.map(pair => {
      const [source = "", target = ""] = pair.split(">");
      return { source, target };
    });

  it("takes the slower path at each step", () => {
    const rows = [
      step("start", 0, 1),
      step("fast", 1, 5),
      step("slow", 1, 90),
      step("skipped", null, null),
      step("join", 90, 95),
    ];
    const path = criticalPath(rows, edges("start>fast", "start>slow", "start>skipped", "fast>join", "slow>join"));
    expect([...path].sort()).toEqual(["join", "slow", "start"]);
  });

  it("goes through the items of a container that waited for one another, and their steps", () => {
    const item = (index: number, from: number, to: number) =>
      step("each", from, to, { type: "item", path: [{ nodeId: "each", index }] });
    const inside = (nodeId: string, index: number, from: number, to: number) =>
      step(nodeId, from, to, { path: [{ nodeId: "each", index }] });
    const rows = [
      step("each", 0, 100, { type: "map", items: { total: 3, completed: 3, failed: 0, running: 0 } }),
      ...[item(0, 0, 40), item(1, 0, 10), item(2, 40, 100)],
      ...[inside("a", 2, 40, 60), inside("b", 2, 60, 100)],
    ];
    const path = criticalPath(rows, edges("a>b"));
    expect([...path].sort()).toEqual(["each", "each:0/", "each:2/", "each:2/a", "each:2/b"].sort());
  });

  it("goes from compensations to the step that failed", () => {
    const rows = [step("pay", 0, 10), step("ship", 10, 50, { status: "failed" }), step("refund", 50, 60)];
    const undone = [...edges("pay>ship"), { source: "pay", target: "refund", undoes: true as const }];
    expect([...criticalPath(rows, undone)].sort()).toEqual(["pay", "refund", "ship"]);
  });

  it("ends at the step that failed, and not at those that were cancelled for it", () => {
    const cancelled = (id: string) => step(id, 1, 42, { status: "cancelled" });
    const rows = [step("start", 0, 1), cancelled("wait"), step("pay", 1, 40, { status: "failed" }), cancelled("ship")];
    expect([...criticalPath(rows, edges("start>wait", "start>pay", "start>ship"))].sort()).toEqual(["pay", "start"]);
    // Without a failure, a user cancelled the run. The step that ended last was still running.
    const byHand = [step("start", 0, 1), cancelled("wait")];
    expect([...criticalPath(byHand, edges("start>wait"))].sort()).toEqual(["start", "wait"]);
  });

  it("is empty before a step started, and ends at inconsistent times", () => {
    expect(criticalPath([step("a", null, null)], [])).toEqual(new Set());
    const sameTime = [step("a", 5, 5), step("b", 5, 5)];
    expect(criticalPath(sameTime, edges("a>b", "b>a")).size).toBe(2);
  });
});

describe("the ruler of the timeline", () => {
  const textsOf = (whole: { from: number; to: number }, work: { from: number; to: number }[], start = 0) =>
    ticksOf(timeScale(whole, work), start, durationText).map(({ text }) => text);

  it("counts in round times, and leaves out the last one without space", () => {
    const all = { from: 0, to: 59_000 };
    expect(textsOf(all, [all])).toEqual(["0 ms", "15 s", "30 s", "45 s"]);
    const more = { from: 0, to: 62_000 };
    expect(textsOf(more, [more])).toEqual(["0 ms", "15 s", "30 s", "45 s", ""]);
    expect(textsOf({ from: 0, to: 90 }, [{ from: 0, to: 90 }])).toEqual(["0 ms", "20 ms", "40 ms", "60 ms", "80 ms"]);
  });

  it("counts from the start of the run, not of the visible period", () => {
    const part = { from: 1_700, to: 2_700 };
    expect(textsOf(part, [part])).toEqual(["1.7 s", "1.8 s", "2.0 s", "2.2 s", "2.4 s", "2.6 s"]);
  });

  it("repeats no time after a long pause, and shows none inside it", () => {
    const work = [
      { from: 0, to: 100 },
      { from: 600_000, to: 600_100 },
    ];
    const texts = textsOf({ from: 0, to: 600_100 }, work);
    expect(texts.filter(text => text === "10 min")).toHaveLength(1);
    expect(texts.filter(text => text !== "")).toEqual([...new Set(texts.filter(text => text !== ""))]);
    expect(textsOf({ from: 0, to: 0 }, [])).toEqual(["0 ms"]);
  });

  it("covers the scale without gaps", () => {
    const scale = timeScale({ from: 0, to: 700_000 }, [{ from: 0, to: 9_000 }, { from: 650_000, to: 700_000 }]); // prettier-ignore
    let end = 0;
    for (const { left, width } of ticksOf(scale, 0, durationText)) {
      expect(left).toBeCloseTo(end);
      end = left + width;
    }
    expect(end).toBeCloseTo(1);
  });
});
