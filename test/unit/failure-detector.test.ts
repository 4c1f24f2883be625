import { FailureDetector } from "../../services/executions/engine/failure-detector.ts";

const LEASE = 6_000;
/** The lease of the worker that looks. The leases of other workers may be different. */
const OWN = 1_000;
const LOOK = LEASE / 3;
const START = Date.parse("2026-01-01");

/**
 * The time in ms from the last renewal of a worker to the detection of its loss; null if it is never detected. The worker
 * renews its lease after each third of it until it dies at `diesAt`. Its clock is `skew` ms ahead of the observer's clock.
 */
function foundAfter({ skew = 0, diesAt = Infinity, firstLook = 700 }): number | null {
  const detector = new FailureDetector(OWN);
  for (let now = firstLook; now < 20 * LEASE; now += LOOK) {
    const last = Math.min(Math.floor(now / LOOK) * LOOK, Math.floor(diesAt / LOOK) * LOOK);
    const expiresAt = new Date(START + last + skew + LEASE);
    if (detector.lost(new Map([["it", { expiresAt, leaseMs: LEASE }]]), now, START + now).length > 0) return now - last;
  }
  return null;
}

describe("a worker", () => {
  it.each([0, -LEASE / 2, -LEASE, -9 * LEASE, LEASE, 3_600_000])(
    "is not lost while it lives, with its clock %d ms off",
    skew => {
      expect(foundAfter({ skew })).toBeNull();
    },
  );

  it.each([
    [0, LEASE + LOOK],
    [-9 * LEASE, LEASE + LOOK],
    [3_600_000, LEASE + 2 * LOOK],
  ])("is lost soon after it dies, with its clock %d ms off", (skew, within) => {
    const after = foundAfter({ skew, diesAt: 5 * LEASE + 1 })!;
    expect(after).toBeLessThanOrEqual(within);
    expect(after).toBeGreaterThanOrEqual(LEASE / 2);
  });

  it("is lost soon after the first check if it died before, and at once if it left no trace", () => {
    expect(foundAfter({ diesAt: 0, firstLook: LEASE })).toBeLessThanOrEqual(LEASE + 2 * LOOK);
    expect(new FailureDetector(LEASE).lost(new Map([["gone", null]]), 0, START)).toEqual(["gone"]);
  });

  it("gets the observer's lease if it states none, and is watched again after a new heartbeat", () => {
    const detector = new FailureDetector(LEASE);
    const look = (now: number, beat: number) =>
      detector.lost(new Map([["it", { expiresAt: new Date(START + beat) }]]), now, START + now);
    expect([look(0, -1), look(LOOK, -1), look(2 * LOOK, 1), look(3 * LOOK, 1)]).toEqual([[], [], [], []]);
    expect(look(4 * LOOK, 1)).toEqual(["it"]);
  });
});
