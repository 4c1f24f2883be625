import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";

/** Whether a response is stored for an Idempotency-Key. If the store cannot tell, the result is false. */
export async function isAnswered(broker: ServiceBroker, scope: string | undefined): Promise<boolean> {
  if (scope === undefined) return false;
  return call(broker, "idempotency.answered", { scope }).then(
    ({ answered }) => answered,
    () => false,
  );
}
