import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { openStore } from "../../adapters/store/open-store.ts";
import { databaseAt } from "../support/real-servers.ts";
import { describeStore } from "./conformance.ts";

const uri = process.env.MONGODB_URI;

if (uri) {
  const own = databaseAt(uri, `weft_test_${randomUUID().slice(0, 8)}`);
  afterAll(async () => {
    const client = await MongoClient.connect(own);
    await client.db().dropDatabase();
    await client.close();
  });
  describeStore("the MongoDB store", () => openStore({ mongodbUri: own, dataDir: "", sync: "normal" }));
} else {
  test("without MONGODB_URI the suite does not run here: the store says that it cannot reach its server", async () => {
    const nowhere = "mongodb://127.0.0.1:1/weft?serverSelectionTimeoutMS=200";
    const opening = openStore({ mongodbUri: nowhere, dataDir: "", sync: "normal" });
    await expect(opening).rejects.toMatchObject({ code: "store_unavailable" });
  });
}
