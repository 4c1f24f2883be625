import { createHash } from "node:crypto";

/** The prefix of every name that this run creates on the servers. Only `npm run test:real` sets it. */
export const RUN = "WEFT_REAL_RUN";

const nameOf = (run: string, dataDir: string): string =>
  `${run}_${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;

/** The address of a database on this server. The server may have several hosts, which a URL cannot express. */
export function databaseAt(uri: string, name: string): string {
  const own = uri.replace(/^([^/]+:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`);
  // The database with the users does not change with the database in the path.
  if (!uri.includes("@") || uri.includes("authSource=")) return own;
  return `${own}${own.includes("?") ? "&" : "?"}authSource=admin`;
}

/**
 * The settings that make a node under test store on the real servers what it would store in this folder. Each folder
 * gets its own database and collections, which all nodes on it share. Empty in any other test run.
 */
export function realServers(dataDir: string): { MONGODB_URI?: string; QDRANT_URL?: string } {
  const { [RUN]: run, MONGODB_URI, QDRANT_URL } = process.env;
  if (!run) return {};
  const name = nameOf(run, dataDir);
  const qdrant = QDRANT_URL && new URL(QDRANT_URL);
  if (qdrant) qdrant.searchParams.set("prefix", name);
  return {
    ...(MONGODB_URI && { MONGODB_URI: databaseAt(MONGODB_URI, name) }),
    ...(qdrant && { QDRANT_URL: qdrant.href }),
  };
}

/** The settings for opening the store of a node on this folder. */
export const storeAt = (dataDir: string) =>
  ({ dataDir, mongodbUri: realServers(dataDir).MONGODB_URI, sync: "normal" }) as const;
