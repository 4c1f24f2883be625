import type { Connection } from "mongoose";
import type { StoreSpace } from "../driver.ts";

export const STANDALONE_WARNING =
  "MongoDB: this server is not a member of a replica set. What it acknowledges may be lost with it, and a write that is cut off is not sent again.";

/** Whether the server is neither a member of a replica set nor a router of a cluster. */
export async function isStandalone(connection: Connection, timeoutMS: number): Promise<boolean> {
  const { setName, msg } = (await connection.db?.command({ hello: 1 }, { timeoutMS })) ?? {};
  return !setName && msg !== "isdbgrid";
}

const bytes = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The size of the database on the server's disk. A server without these statistics reports no size. */
export async function spaceOf(connection: Connection, timeoutMS: number): Promise<StoreSpace> {
  const { db } = connection;
  const [stats, build] = await Promise.all([
    db?.command({ dbStats: 1 }, { timeoutMS }),
    // A server may hide its version. Its size is reported anyway.
    db?.command({ buildInfo: 1 }, { timeoutMS }).catch(() => undefined),
  ]);
  const { storageSize, indexSize } = stats ?? {};
  const [documents, indexes] = [bytes(storageSize), bytes(indexSize)];
  const version = typeof build?.version === "string" ? `MongoDB ${build.version}` : null;
  return { used: documents === null ? null : documents + (indexes ?? 0), free: null, version };
}
