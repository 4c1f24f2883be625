import type { Service } from "moleculer";
import { storeSettings } from "../../service-kit/store.mixin.ts";

test("what the store has to tell is in its own log, whichever service opens it", () => {
  const told: string[] = [];
  const logOf = (name: string) => ({ warn: (message: string) => void told.push(`${name}: ${message}`) });
  const service = { logger: logOf("AUDIT"), broker: { getLogger: logOf } } as unknown as Service;
  storeSettings(service).warn?.("MongoDB took 300 ms");
  expect(told).toEqual(["STORE: MongoDB took 300 ms"]);
});
