import type { Socket } from "node:net";
import { createGuardedConnect } from "../../adapters/net/guarded-connect.ts";
import { SqlPools } from "../../adapters/sql/pools.ts";
import type { SqlStatement, SqlWork } from "../../adapters/sql/port.ts";
import { describeWithDatabase } from "../support/databases.ts";
import { until } from "../support/until.ts";

const PLACEHOLDER = { postgres: "$1", mysql: "?" };
const SLEEP = { postgres: "SELECT pg_sleep($1)", mysql: "SELECT SLEEP(?)" };

const work = (statement: SqlStatement, begun = () => Promise.resolve()): SqlWork => ({
  ...{ readOnly: true, maxRows: 1, maxBytes: 1_000, timeoutMs: 60_000, begun, statements: [statement] },
  signal: new AbortController().signal,
});

describe.each(["postgres", "mysql"] as const)("connections to databases", kind => {
  describeWithDatabase(kind, database => {
    const ask = work({ text: `SELECT ${PLACEHOLDER[kind]} AS n`, values: [1], mode: "one" });
    const placeOf = (id: string, group: string, workspaceId = "w", waitMs = 60_000) => {
      return { id, group, workspaceId, waitMs, kind, server: database().access };
    };

    /** Pools whose connections to the server are counted. */
    function stage(limits: { max: number; total: number }) {
      const guarded = createGuardedConnect({ allow: ["127.0.0.1"] });
      const open = new Set<Socket>();
      const count = { most: 0, now: () => [...open].filter(({ destroyed }) => !destroyed).length };
      const connect: typeof guarded = async to => {
        const socket = await guarded(to);
        open.add(socket);
        count.most = Math.max(count.most, count.now());
        return socket.once("close", () => open.delete(socket));
      };
      return { pools: new SqlPools({ connect, ...limits }), count };
    }

    test("are shared by a thousand concurrent runs, at most twenty at a time, without leaks", async () => {
      const { pools, count } = stage({ max: 20, total: 100 });
      const runs = Array.from({ length: 1_000 }, (_, n) => pools.run(placeOf("c", `run-${n}`), ask));
      expect(await Promise.all(runs)).toHaveLength(1_000);
      expect(count.most).toBe(20);
      pools.close();
      await until(() => count.now() === 0);
    });

    test("are limited per worker, also for a hundred credentials together", async () => {
      const { pools, count } = stage({ max: 20, total: 15 });
      const runs = Array.from({ length: 1_000 }, (_, n) =>
        pools.run(placeOf(`c${n % 100}`, `run-${n}`, `w${n % 10}`), ask),
      );
      expect(await Promise.all(runs)).toHaveLength(1_000);
      expect(count.most).toBe(15);
      pools.close();
      await until(() => count.now() === 0);
    });

    test("run out with a retryable error, and serve the next step", async () => {
      const { pools, count } = stage({ max: 20, total: 2 });
      const slow = { text: SLEEP[kind], values: [60], mode: "one" as const };
      const stop = new AbortController();
      const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const long = begun.map(({ resolve }, n) =>
        pools.run(placeOf(`c${n}`, "long"), { ...work(slow, () => Promise.resolve(resolve())), signal: stop.signal }),
      );
      await Promise.all(begun.map(({ promise }) => promise));
      const refusal = { code: "connections_busy", retryable: true };
      await expect(pools.run(placeOf("other", "r", "w2", 50), ask)).rejects.toMatchObject(refusal);
      const waiting = pools.run(placeOf("other", "r", "w2"), ask);
      stop.abort();
      expect((await Promise.allSettled(long)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect(await waiting).toHaveLength(1);
      pools.close();
      await until(() => count.now() === 0);
    });

    test("fail a running statement when the server dies, long before any time limit", async () => {
      const { pools } = stage({ max: 20, total: 100 });
      const slow = { text: SLEEP[kind], values: [3_600], mode: "one" as const };
      const begun = Promise.withResolvers<void>();
      const endless = { ...work(slow, () => Promise.resolve(begun.resolve())), timeoutMs: 3_600_000 };
      const lost = pools.run(placeOf("c", "r"), endless);
      await begun.promise;
      await database().kill();
      await expect(lost).rejects.toMatchObject({ code: "connection_lost", begun: true });
      pools.close();
      await database().start();
    });
  });
});
