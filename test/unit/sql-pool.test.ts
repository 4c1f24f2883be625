import { SqlPool } from "../../adapters/sql/pool.ts";
import { SqlError, type SqlSession } from "../../adapters/sql/port.ts";
import { SharedConnectionLimit } from "../../adapters/sql/shared-connection-limit.ts";

class FakeSession implements SqlSession {
  isLost = false;
  closed = false;
  run = () => Promise.resolve([]);
  reset = () => Promise.resolve();
  close(): void {
    this.isLost = true;
    this.closed = true;
  }
}

const open = new AbortController().signal;
const turn = (group: string, signal = open, waitMs = 60_000) => ({ group, signal, waitMs });

function poolOf(
  max: number,
  opening: () => Promise<SqlSession> = () => Promise.resolve(new FakeSession()),
  { room = new SharedConnectionLimit(1_000), owner = "w" } = {},
) {
  const sessions: FakeSession[] = [];
  const pool = new SqlPool(
    async () => {
      const session = (await opening()) as FakeSession;
      sessions.push(session);
      return session;
    },
    { max, room, owner, idleMs: 60_000 },
  );
  return { pool, sessions };
}

test("does not delay others by a run with many queries", async () => {
  const { pool } = poolOf(1);
  const order: string[] = [];
  const use = (group: string) => pool.use(turn(group), () => Promise.resolve(void order.push(group)));
  await Promise.all([...Array.from({ length: 100 }, () => use("greedy")), use("modest")]);
  expect(order.indexOf("modest")).toBeLessThan(4);
  pool.close();
});

test("opens no more connections than allowed, and reuses them", async () => {
  const { pool, sessions } = poolOf(3);
  let now = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    now--;
  };
  await Promise.all(Array.from({ length: 200 }, (_, n) => pool.use(turn(`r${n}`), work)));
  expect([most, sessions.length, pool.size]).toEqual([3, 3, 3]);
  pool.close();
  await new Promise(setImmediate);
  expect(sessions.every(({ closed }) => closed)).toBe(true);
});

test("does not reuse a lost connection, and frees its place", async () => {
  const { pool, sessions } = poolOf(1);
  const lose = pool.use(turn("a"), session => {
    (session as FakeSession).isLost = true;
    return Promise.reject(new Error("lost"));
  });
  await expect(lose).rejects.toThrow("lost");
  await pool.use(turn("a"), session => Promise.resolve(expect(session.isLost).toBe(false)));
  expect(sessions).toHaveLength(2);
  pool.close();
});

test("removes a waiting step from the queue when the step ends", async () => {
  const { pool } = poolOf(1);
  const held = Promise.withResolvers<void>();
  const first = pool.use(turn("a"), () => held.promise);
  const gone = new AbortController();
  const second = pool.use(turn("b", gone.signal), () => Promise.resolve());
  gone.abort();
  await expect(second).rejects.toMatchObject({ code: "aborted" });
  held.resolve();
  await first;
  await pool.use(turn("c"), () => Promise.resolve());
  pool.close();
});

test("ends the connections of a retired pool after serving waiting callers", async () => {
  const { pool, sessions } = poolOf(1);
  const held = Promise.withResolvers<void>();
  const first = pool.use(turn("a"), () => held.promise);
  const second = pool.use(turn("b"), () => Promise.resolve("served"));
  pool.retire();
  held.resolve();
  await first;
  expect(await second).toBe("served");
  await new Promise(setImmediate);
  expect(sessions.every(({ closed }) => closed)).toBe(true);
  expect(pool.isEmpty).toBe(true);
});

test("uses the existing connections if a server accepts no more", async () => {
  let opened = 0;
  const { pool } = poolOf(5, () => {
    if (++opened > 1)
      return Promise.reject(new SqlError("too many", { code: "53300", crowded: true, retryable: true }));
    return Promise.resolve(new FakeSession());
  });
  const runs = Array.from({ length: 20 }, (_, n) => pool.use(turn(`r${n}`), () => new Promise(setImmediate)));
  expect(await Promise.all(runs)).toHaveLength(20);
  pool.close();
});

test("rejects every waiting caller if the server is unreachable", async () => {
  const { pool } = poolOf(2, () => Promise.reject(new SqlError("refused", { code: "connection_lost", lost: true })));
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => pool.use(turn("a"), () => Promise.resolve())));
  expect(all.every(({ status }) => status === "rejected")).toBe(true);
  expect(pool.isEmpty).toBe(true);
});

test("rejects a caller without a connection in time with a retryable error", async () => {
  const { pool } = poolOf(1);
  const held = Promise.withResolvers<void>();
  const first = pool.use(turn("a"), () => held.promise);
  const late = pool.use(turn("b", open, 1), () => Promise.resolve());
  await expect(late).rejects.toMatchObject({ code: "connections_busy", retryable: true });
  held.resolve();
  await first;
  expect(await pool.use(turn("b"), () => Promise.resolve("served"))).toBe("served");
  pool.close();
});

test("reports that the database does not answer if a connection never opens", async () => {
  const { pool } = poolOf(1, () => new Promise(() => undefined));
  const late = pool.use(turn("a", open, 1), () => Promise.resolve());
  await expect(late).rejects.toMatchObject({
    code: "outbound_timeout",
    message: expect.stringContaining("did not answer") as string,
  });
  pool.close();
});
