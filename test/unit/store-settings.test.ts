import type { Service } from "moleculer";
import { storeSettings } from "../../service-kit/store.mixin.ts";

test("logs messages of the store in its own log for every service that opens it", () => {
  const told: string[] = [];
  const logOf = (name: string) => ({ warn: (message: string) => void told.push(`${name}: ${message}`) });
  const service = { logger: logOf("AUDIT"), broker: { getLogger: logOf } } as unknown as Service;
  storeSettings(service).warn?.("MongoDB took 300 ms");
  expect(told).toEqual(["STORE: MongoDB took 300 ms"]);
});
