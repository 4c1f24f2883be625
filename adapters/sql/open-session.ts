import type { GuardedConnect } from "../net/guarded-connect.ts";
import type { OpenSession, SqlServer, SqlSession } from "./port.ts";

export type SqlKind = "postgres" | "mysql";

const OPEN: Record<SqlKind, OpenSession> = {
  postgres: async (...given) => (await import("./postgres.ts")).openPostgres(...given),
  mysql: async (...given) => (await import("./mysql.ts")).openMysql(...given),
};
const CONNECT_MS = 10_000;

/**
 * Connects to a database through the outbound guard, and signs in. Aborting the signal ends the connection.
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
