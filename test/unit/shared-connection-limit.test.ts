import { SqlPool } from "../../adapters/sql/pool.ts";
import { SqlError, type SqlSession } from "../../adapters/sql/port.ts";
import { SharedConnectionLimit } from "../../adapters/sql/shared-connection-limit.ts";

const signal = new AbortController().signal;

/** Pools whose connections are counted. */
function stage(total: number) {
  const room = new SharedConnectionLimit(total);
  const count = { open: 0, most: 0 };
  const openOne = (): Promise<SqlSession> => {
    count.most = Math.max(count.most, ++count.open);
    const session = {
      isLost: false,
      run: () => Promise.resolve([]),
      reset: () => Promise.resolve(),
      close: () => {
        if (!session.isLost) count.open--;
        session.isLost = true;
      },
    };
    return Promise.resolve(session);
  };
  const pool = (owner: string, open = openOne) => new SqlPool(open, { max: 20, room, owner, idleMs: 60_000 });
  return { room, count, pool };
}

const use = <T>(pool: SqlPool, work: () => Promise<T>, group = "a", waitMs = 60_000) =>
  pool.use({ group, signal, waitMs }, work);
const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
};

test("opens no more connections over many pools than allowed, and serves everyone", async () => {
  const { pool, count, room } = stage(10);
  const pools = Array.from({ length: 60 }, (_, n) => pool(`w${n % 7}`));
  const all = pools.flatMap((one, at) => Array.from({ length: 30 }, (_, n) => use(one, () => turns(1), `${at}-${n}`)));
  expect(await Promise.all(all)).toHaveLength(1_800);
  expect(count.most).toBe(10);
  for (const one of pools) one.close();
  await turns(1);
  expect([count.open, room.used]).toEqual([0, 0]);
});

test("ends an unused connection if another pool needs its place", async () => {
  const { pool, count } = stage(3);
  const [first, second] = [pool("w"), pool("w")];
  await Promise.all([1, 2, 3].map(n => use(first, () => turns(1), `${n}`)));
  await turns(1);
  expect(first.size).toBe(3);
  await Promise.all([1, 2, 3].map(n => use(second, () => turns(1), `${n}`)));
  expect(count.most).toBe(3);
});

test("leaves others their share if a workspace has many credentials", async () => {
  const { pool } = stage(12);
  const greedy = Array.from({ length: 6 }, () => pool("greedy"));
  let isOver = false;
  const busy = greedy.flatMap(one =>
    Array.from({ length: 20 }, async (_, n) => {
      while (!isOver) await use(one, () => turns(1), `${n}`);
    }),
  );
  const modest = pool("modest");
  const held = Promise.withResolvers<void>();
  const works = Array.from({ length: 6 }, (_, n) => {
    const begun = Promise.withResolvers<void>();
    const done = use(modest, () => (begun.resolve(), held.promise), `${n}`);
    return { begun: begun.promise, done };
  });
  // All six begin although none of them ends: the other workspace gives up half of what it had.
  await Promise.all(works.map(({ begun }) => begun));
  expect(modest.size).toBe(6);
  held.resolve();
  isOver = true;
  await Promise.all([...busy, ...works.map(({ done }) => done)]);
});

test("rejects a caller that waits too long for another pool's connection", async () => {
  const { pool } = stage(1);
  const held = Promise.withResolvers<void>();
  const first = use(pool("a"), () => held.promise);
  const refusal = {
    code: "connections_busy",
    retryable: true,
    message: expect.stringContaining("The 1 connections of"),
  };
  await expect(use(pool("b"), () => turns(1), "r", 1)).rejects.toMatchObject(refusal);
  held.resolve();
  await first;
});

test("holds no place for a pool whose server is full", async () => {
  const { pool, count } = stage(2);
  let opened = 0;
  const crowded = new SqlError("too many", { code: "53300", crowded: true, retryable: true });
  const ok = (): Promise<SqlSession> =>
    Promise.resolve({
      isLost: false,
      run: () => Promise.resolve([]),
      reset: () => Promise.resolve(),
      close: () => undefined,
    });
  const small = pool("a", () => (++opened > 1 ? Promise.reject(crowded) : ok()));
  const held = Promise.withResolvers<void>();
  const first = use(small, () => held.promise, "1");
  const second = use(small, () => Promise.resolve("served"), "2");
  await turns(2);
  expect(await use(pool("b"), () => Promise.resolve("served"))).toBe("served");
  held.resolve();
  await first;
  expect(await second).toBe("served");
  expect(count.most).toBe(1);
});

test("forgets a retired pool when its last connection has ended", async () => {
  const { pool, room } = stage(5);
  const one = pool("a");
  const held = Promise.withResolvers<void>();
  const work = use(one, () => held.promise);
  await turns(1);
  one.retire();
  expect(room.used).toBe(1);
  held.resolve();
  await work;
  await turns(1);
  expect(room.used).toBe(0);
});
