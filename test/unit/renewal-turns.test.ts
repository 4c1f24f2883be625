import { RenewalTurns } from "../../service-kit/renewal-turns.ts";

const HOLD_MS = 25_000;
const MINUTE_MS = 60_000;
const several = { options: { transporter: "NATS" as const } };
const alone = { options: {} };
/** A turn of another process, which began this long ago by a clock that is this much ahead. */
const foreign = (agoMs: number, aheadMs = 0) => ({
  renewer: "another",
  renewUntil: new Date(Date.now() - agoMs + aheadMs + HOLD_MS),
});

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("ends a turn of this process when it is released", () => {
  const turns = new RenewalTurns(several, HOLD_MS);
  const turn = turns.begin();
  const hasEnded = new RenewalTurns(several, HOLD_MS).watch();
  jest.advanceTimersByTime(2 * HOLD_MS);
  expect(hasEnded(turn)).toBe(false);
  turns.end(turn);
  expect(hasEnded({})).toBe(true);
  expect(hasEnded({ renewer: null, renewUntil: null })).toBe(true);
});

test.each([-4 * MINUTE_MS, 0, 4 * MINUTE_MS])(
  "keeps a turn of a node whose clock is %i ms ahead for its time",
  aheadMs => {
    const hasEnded = new RenewalTurns(several, HOLD_MS).watch();
    const turn = foreign(0, aheadMs);
    expect(hasEnded(turn)).toBe(false);
    jest.advanceTimersByTime(HOLD_MS - 1);
    expect(hasEnded(turn)).toBe(false);
    jest.advanceTimersByTime(1);
    expect(hasEnded(turn)).toBe(true);
    // Another node has taken over meanwhile.
    expect(hasEnded({ ...turn, renewer: "a third" })).toBe(false);
  },
);

test("treats a turn as ended that ended long ago", () => {
  expect(new RenewalTurns(several, HOLD_MS).watch()(foreign(HOLD_MS + 5 * MINUTE_MS))).toBe(true);
});

test("takes earlier turns as those of dead processes after a start without other nodes", () => {
  const before = foreign(1);
  const hasEnded = new RenewalTurns(alone, HOLD_MS).watch();
  expect(hasEnded(before)).toBe(true);
  jest.advanceTimersByTime(1);
  expect(hasEnded(foreign(0))).toBe(false);
});
