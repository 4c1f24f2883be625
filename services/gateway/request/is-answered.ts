import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";

/**
 * Whether an answer is stored for an Idempotency-Key. If the store cannot tell, it is treated as not stored.
 */
export async function isAnswered(broker: ServiceBroker, scope: string | undefined): Promise<boolean> {
  if (scope === undefined) return false;
  return call(broker, "idempotency.answered", { scope }).then(
    ({ answered }) => answered,
    () => false,
  );
}
