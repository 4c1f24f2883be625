import type { StepResult } from "../../../../core/run/entry.ts";
import { isTrue } from "./is-true.ts";
import { done, failed, type Perform } from "./step.ts";

/**
 * Decides whether another round follows, before the first round and after each one. `next` and `until` see the steps of
 * the round that has ended. `until` also sees the result of `next`.
 */
export const loop: Perform<"loop"> = async (data, { round }, later): Promise<StepResult> => {
  const { maxIterations, delayMs } = data;
  const iterations = round ? round.index + 1 : 0;
  let carry = round ? round.carry : ((await later("carry", {})) ?? null);
  if (round) {
    const { index, steps } = round;
    if (data.next !== undefined) carry = (await later("next", { steps, loop: { index, carry } })) ?? null;
    if (isTrue(await later("until", { steps, loop: { index, carry } }))) return done({ carry, iterations });
  }
  if (data.while !== undefined && !isTrue(await later("while", { loop: { index: iterations, carry } })))
    return done({ carry, iterations });
  if (iterations >= maxIterations) {
    const message = `The loop has not ended after ${maxIterations.toLocaleString("en")} rounds, the most that \`maxIterations\` allows.`;
    return failed("loop_limit", message, false);
  }
  const until = round && delayMs > 0 ? { until: new Date(Date.now() + delayMs).toISOString() } : {};
  return { kind: "round", index: iterations, carry, ...until };
};
