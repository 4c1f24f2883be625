import { Claims } from "../../services/executions/engine/claims.ts";
import type { EngineLimits, EngineParts } from "../../services/executions/engine/parts.ts";
import type { ExecutionDoc } from "../../services/executions/store/model.ts";
import { until } from "../support/until.ts";

/** Claims over a queue of this many executions; what was taken, and how many claims each batch had. */
function claimsOf(queued: number, room = Infinity) {
  const taken: ExecutionDoc[] = [];
  const batches: number[] = [];
  let waiting = 0;
  const updateOne = async () => {
    if (waiting++ === 0) setImmediate(() => void (batches.push(waiting), (waiting = 0)));
    await new Promise(setImmediate);
    return queued > 0 ? ({ id: `${queued--}`, workspaceId: "w" } as ExecutionDoc) : null;
  };
  const parts = {
    store: { acrossTenants: () => ({ updateOne }) },
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
  return { claims, taken, batches, add: (more: number) => (queued += more) };
}

test("a worker that finds nothing makes one claim", async () => {
  const { claims, batches } = claimsOf(0);
  claims.poke();
  await until(() => claims.believesEmpty);
  expect(batches).toEqual([1]);
});

test("claims go out in larger and larger batches while each finds an execution, and few follow the last", async () => {
  const { claims, taken, batches, add } = claimsOf(100);
  const look = async () => {
    claims.poke();
    await claims.stop();
  };
  await look();
  expect(taken).toHaveLength(100);
  expect(batches.slice(0, 5)).toEqual([1, 4, 16, 32, 32]);
  const before = batches.length;
  add(1);
  await look();
  await look();
  expect(taken).toHaveLength(101);
  // The width follows what was found last: 15 of 32, then 1, then nothing.
  expect(batches.slice(before)).toEqual([16, 2]);
});

test("a worker claims no more than it has room for", async () => {
  const { claims, taken } = claimsOf(100, 7);
  claims.poke();
  await until(() => taken.length === 7);
  await claims.stop();
  expect(taken).toHaveLength(7);
});
