import type { Collection, Doc, Store, WriteOp } from "../../adapters/store/port.ts";

const WRITES = new Set(["insert", "insertMany", "updateOne", "updateMany", "remove"]);

/** The rejection of a call whose write comes after the last one that a cut-off store allows. */
export const KILLED = "killed";

/**
 * The store of a process that is killed after `writes` writes. Several writes of one call are made one by one, as in a
 * store without transactions. Reads succeed. With `failures`, the process stays alive, and only that many writes fail.
 */
export function cutOffStore(store: Store, writes: number, failures = Infinity, failed = () => {}): Store {
  let left = writes;
  let toFail = failures;
  const allow = () => {
    if (left > 0) left--;
    else if (toFail > 0) {
      toFail--;
      failed();
      throw new Error(KILLED);
    }
  };
  const cutOff = <T extends Doc>(all: Collection<T>): Collection<T> =>
    new Proxy(all, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) =>
          new Promise(resolve => {
            if (WRITES.has(String(name))) allow();
            resolve((member as (...given: unknown[]) => unknown).apply(target, args));
          });
      },
    });
  return {
    register: specs => store.register(specs),
    tenant: (spec, workspaceId) => cutOff(store.tenant(spec, workspaceId)),
    global: spec => cutOff(store.global(spec)),
    acrossTenants: spec => cutOff(store.acrossTenants(spec)),
    async write(ops: readonly WriteOp[]) {
      const counts: number[] = [];
      for (const op of ops) {
        allow();
        counts.push(...(await store.write([op])));
      }
      return counts;
    },
    embedded: store.embedded,
    space: () => store.space(),
    ping: () => store.ping(),
    close: () => Promise.resolve(),
  };
}

/**
 * Performs `act` with a service whose process is killed before the first write, then before the second, and so on,
 * until `act` completes. The functions receive the number of completed writes. `prepare` and `check` use the
 * unrestricted store.
 */
export async function killedBeforeEachWrite(
  self: { store: Store },
  act: (writes: number) => Promise<unknown>,
  check: (writes: number) => Promise<unknown>,
  prepare: (writes: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const { store } = self;
  for (let writes = 0, isCutOff = true; isCutOff; writes++) {
    await prepare(writes);
    self.store = cutOffStore(store, writes);
    try {
      isCutOff = await act(writes).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Error && error.message.includes(KILLED)) return true;
          throw error;
        },
      );
    } finally {
      self.store = store;
    }
    await check(writes);
  }
}
