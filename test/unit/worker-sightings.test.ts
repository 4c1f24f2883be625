import { Sightings } from "../../services/executions/engine/sightings.ts";

const LEASE = 6_000;
/** The lease of the worker that looks. The leases of other workers may be different. */
const OWN = 1_000;
const LOOK = LEASE / 3;
const START = Date.parse("2026-01-01");

/**
 * When, in ms after its last sign of life, a worker is found to be lost that gives one every third of its lease until it dies at
 * `diesAt`, and whose clock is `skew` ahead of that of whoever looks; null where it never is.
 */
function foundAfter({ skew = 0, diesAt = Infinity, firstLook = 700 }): number | null {
  const sightings = new Sightings(OWN);
  for (let now = firstLook; now < 20 * LEASE; now += LOOK) {
    const last = Math.min(Math.floor(now / LOOK) * LOOK, Math.floor(diesAt / LOOK) * LOOK);
    const expiresAt = new Date(START + last + skew + LEASE);
    if (sightings.lost(new Map([["it", { expiresAt, leaseMs: LEASE }]]), now, START + now).length > 0)
      return now - last;
  }
  return null;
}

describe("a worker", () => {
  it.each([0, -LEASE / 2, -LEASE, -9 * LEASE, LEASE, 3_600_000])(
    "that lives is not lost, its clock %d ms off",
    skew => {
      expect(foundAfter({ skew })).toBeNull();
    },
  );

  it.each([
    [0, LEASE + LOOK],
    [-9 * LEASE, LEASE + LOOK],
    [3_600_000, LEASE + 2 * LOOK],
  ])("that dies is lost soon, its clock %d ms off", (skew, within) => {
    const after = foundAfter({ skew, diesAt: 5 * LEASE + 1 })!;
    expect(after).toBeLessThanOrEqual(within);
    expect(after).toBeGreaterThanOrEqual(LEASE / 2);
  });

  it("that died before anybody looked is lost soon after the first look, and at once where nothing is left of it", () => {
    expect(foundAfter({ diesAt: 0, firstLook: LEASE })).toBeLessThanOrEqual(LEASE + 2 * LOOK);
    expect(new Sightings(LEASE).lost(new Map([["gone", null]]), 0, START)).toEqual(["gone"]);
  });

  it("that does not say its lease has that of whoever looks, and is watched anew when it gives a sign of life again", () => {
    const sightings = new Sightings(LEASE);
    const look = (now: number, beat: number) =>
      sightings.lost(new Map([["it", { expiresAt: new Date(START + beat) }]]), now, START + now);
    expect([look(0, -1), look(LOOK, -1), look(2 * LOOK, 1), look(3 * LOOK, 1)]).toEqual([[], [], [], []]);
    expect(look(4 * LOOK, 1)).toEqual(["it"]);
  });
});
