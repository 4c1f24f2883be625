import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { FakeMongo } from "../support/fake-mongo.ts";
import { turnsDuring } from "../support/turns.ts";
import { until } from "../support/service-node.ts";
import { slots } from "./collections.ts";

// The driver waits in each operation for a server. A request makes several operations, and must not add up these waits.

const WAIT_MS = 300;
/** The driver's wait takes thousands of turns of the event loop. */
const FEW_TURNS = 50;

let server: FakeMongo;
let store: Store;
let port: number;
beforeEach(async () => {
  server = new FakeMongo();
  const uri = await server.listen();
  port = Number(new URL(uri).port);
  const mongodbUri = `${uri}&serverSelectionTimeoutMS=${WAIT_MS}`;
  store = await openStore({ mongodbUri, dataDir: "", sync: "normal", collections: [slots] });
});
afterEach(async () => {
  await store.close();
  await server.close();
});

const read = () => store.global(slots).get({ id: "a" });

it("in an outage only the first operation waits for a server, and all work again after it", async () => {
  const code = "store_unavailable";
  await server.close();
  await expect(read()).rejects.toMatchObject({ code });
  await expect(read()).rejects.toMatchObject({ code });
  const refused = expect(Promise.allSettled([read(), store.global(slots).insert({ id: "a", key: "k", seq: 1 })]));
  const turns = await turnsDuring(refused.resolves.toMatchObject([{ reason: { code } }, { reason: { code } }]));
  expect(turns).toBeLessThan(FEW_TURNS);
  server = new FakeMongo();
  await server.listen(port);
  await until(() =>
    read().then(
      () => true,
      () => false,
    ),
  );
});
