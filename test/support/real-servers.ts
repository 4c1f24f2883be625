import { createHash } from "node:crypto";

/** Set by `npm run test:real` alone: what every name that this run makes on the servers begins with. */
export const RUN = "WEFT_REAL_RUN";

const nameOf = (run: string, dataDir: string): string =>
  `${run}_${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;

/** Where a database of that name is on this server, which may be several hosts: more than a URL takes. */
export function databaseAt(uri: string, name: string): string {
  const own = uri.replace(/^([^/]+:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`);
  // Where users are kept does not change with the database.
  if (!uri.includes("@") || uri.includes("authSource=")) return own;
  return `${own}${own.includes("?") ? "&" : "?"}authSource=admin`;
}

/**
 * What makes a node under test keep on the real servers what it would keep in this folder: a database and collections of its
 * own, the same for all nodes on one folder. Nothing in any other run of the tests.
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

/** Opens the store of a node on this folder. */
export const storeAt = (dataDir: string) =>
  ({ dataDir, mongodbUri: realServers(dataDir).MONGODB_URI, sync: "normal" }) as const;
