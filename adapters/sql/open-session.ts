import type { GuardedConnect } from "../net/guarded-connect.ts";
import { openMysql } from "./mysql.ts";
import type { OpenSession, SqlServer, SqlSession } from "./port.ts";
import { openPostgres } from "./postgres.ts";

export type SqlKind = "postgres" | "mysql";

const OPEN: Record<SqlKind, OpenSession> = { postgres: openPostgres, mysql: openMysql };
const CONNECT_MS = 10_000;

/**
 * Connects to a database through the outbound guard, and signs in. The end of the signal ends the connection.
 * @throws {SqlError}, {OutboundError}
 */
export function openSession(
  kind: SqlKind,
  server: SqlServer,
  connect: GuardedConnect,
  signal?: AbortSignal,
): Promise<SqlSession> {
  const { host, port } = server;
  return OPEN[kind](server, () => connect({ host, port, timeoutMs: CONNECT_MS, signal }));
}
