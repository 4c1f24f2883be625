import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { GridFsStore } from "../../adapters/files/gridfs-store.ts";
import { describeObjects } from "../files/conformance.ts";
import { databaseAt } from "../support/real-servers.ts";

const uri = databaseAt(process.env.MONGODB_URI!, `weft_test_${randomUUID().slice(0, 8)}`);
let client: MongoClient;
beforeAll(async () => {
  client = await MongoClient.connect(uri);
});
afterAll(async () => {
  await client.db().dropDatabase();
  await client.close();
});

const chunks = () => client.db().collection<{ files_id: string; n: number; data: Buffer }>("objects.chunks");

describeObjects(
  "GridFS",
  () => GridFsStore.open(uri),
  name =>
    Promise.resolve({
      async read() {
        const all = await chunks().find({ files_id: name }, { promoteBuffers: true }).sort({ n: 1 }).toArray();
        return Buffer.concat(all.map(({ data }) => data));
      },
      async write(bytes: Buffer) {
        await chunks().updateOne({ files_id: name, n: 0 }, { $set: { data: bytes } });
      },
    }),
);
