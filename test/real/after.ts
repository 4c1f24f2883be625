import { MongoClient } from "mongodb";
import { QdrantConnection } from "../../adapters/search/qdrant/connection.ts";
import { RUN } from "../support/real-servers.ts";

async function dropDatabases(uri: string, run: string): Promise<void> {
  const client = await MongoClient.connect(uri);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(run)) await client.db(name).dropDatabase();
  await client.close();
}

async function dropCollections(url: string, run: string): Promise<void> {
  const connection = new QdrantConnection({ url, timeoutMs: 60_000 });
  const { collections } = await connection.run(client => client.collections());
  for (const { name } of collections)
    if (name.startsWith(run)) await connection.run(client => client.deleteCollection(name));
}

/** Once, after the last suite: takes from the servers what this run has made there. */
export default async function after(): Promise<void> {
  const { [RUN]: run, MONGODB_URI, QDRANT_URL } = process.env;
  if (!run) return;
  if (MONGODB_URI) await dropDatabases(MONGODB_URI, run);
  if (QDRANT_URL) await dropCollections(QDRANT_URL, run);
}
