import { Claims } from "../../services/executions/engine/claims.ts";
import type { EngineLimits, EngineParts } from "../../services/executions/engine/parts.ts";
import type { ExecutionDoc } from "../../services/executions/store/model.ts";
import { until } from "../support/until.ts";

/** Claims over a queue of this many executions; what was taken, and how many each look at the queue asked for. */
function claimsOf(queued: number, room = Infinity) {
  const taken: ExecutionDoc[] = [];
  const asked: number[] = [];
  const docs = new Map<string, ExecutionDoc>();
  const add = (more: number) => {
    for (let n = 0; n < more; n++) docs.set(`${docs.size + taken.length}`, { workspaceId: "w" } as ExecutionDoc);
  };
  add(queued);
  const find = async (_: unknown, { limit }: { limit: number }) => {
    asked.push(limit);
    await new Promise(setImmediate);
    return { items: [...docs.keys()].slice(0, limit).map(id => ({ id })) };
  };
  const updateOne = async ({ id }: { id: string }) => {
    await new Promise(setImmediate);
    return docs.delete(id) ? ({ id, workspaceId: "w" } as ExecutionDoc) : null;
  };
  const parts = {
    store: { acrossTenants: () => ({ find, updateOne }) },
    observer: { claimed: () => {} },
    isStopping: () => false,
    warn: (message: string, error: unknown) => {
      throw new Error(message, { cause: error });
    },
  } as unknown as EngineParts;
  const claims = new Claims(parts, { perWorkspace: 1_000 } as EngineLimits, {
    room: () => room - taken.length,
    mayFill: () => false,
    take: doc => taken.push(doc),
  });
  return { claims, taken, asked, add };
}

test("queries once if a worker finds nothing", async () => {
  const { claims, asked } = claimsOf(0);
  claims.poke();
  await until(() => claims.believesEmpty);
  expect(asked).toEqual([1]);
});

test("queries larger pages while each is full, and small ones after the last", async () => {
  const { claims, taken, asked, add } = claimsOf(100);
  const look = async () => {
    claims.poke();
    await claims.stop();
  };
  await look();
  expect(taken).toHaveLength(100);
  expect(asked.slice(0, 5)).toEqual([1, 4, 16, 32, 32]);
  const before = asked.length;
  add(1);
  await look();
  await look();
  expect(taken).toHaveLength(101);
  // The width follows what was found last: 15 of 32, then 1, then nothing.
  expect(asked.slice(before)).toEqual([16, 2]);
});

test("claims no more than a worker has space for", async () => {
  const { claims, taken } = claimsOf(100, 7);
  claims.poke();
  await until(() => taken.length === 7);
  await claims.stop();
  expect(taken).toHaveLength(7);
});
