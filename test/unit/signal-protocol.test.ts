import { explore } from "../support/claim-protocol/explore.ts";
import { type Scenario, SignalProtocol, type Variant } from "../support/signal-protocol.ts";

const SCENARIOS: Record<string, Scenario> = {
  "a signal and a wait, two crashes": { signals: 1, waits: 1, crashes: 2 },
  "a signal and two waits one after another, two crashes": { signals: 1, waits: 2, crashes: 2 },
  "two signals and two waits, a crash": { signals: 2, waits: 2, crashes: 1 },
  "a signal at the moment at which the time is over, a crash": { signals: 1, waits: 2, crashes: 1, timeOver: 1 },
};

describe("signals and waits", () => {
  it.each(Object.entries(SCENARIOS))("meet once, and every state leads to an end: %s", (_, scenario) => {
    const { violation, states } = explore(new SignalProtocol(scenario));
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(50);
  });
});

const VARIANTS: [keyof Variant, Scenario, string][] = [
  ["withoutSenderClaim", { signals: 1, waits: 2, crashes: 1 }, "a signal came twice"],
  ["withoutClaim", { signals: 1, waits: 2, crashes: 1 }, "a signal came twice"],
  ["withoutLook", { signals: 1, waits: 1 }, "a signal is kept although a step waits for it"],
  ["withoutHelp", { signals: 1, waits: 2, crashes: 1, timeOver: 1 }, "a signal is kept although a step waits for it"],
  ["withoutStale", { signals: 1, waits: 2, crashes: 1, timeOver: 1 }, "a signal is kept although a step waits for it"],
];

describe("the model checker finds a fault if the protocol lacks", () => {
  it.each(VARIANTS)("%s", (part, scenario, what) => {
    const { violation } = explore(new SignalProtocol({ ...scenario, variant: { [part]: true } }));
    expect(violation?.what).toBe(what);
  });
});
