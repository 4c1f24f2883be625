/**
 * Far fewer than the connections to one origin, so that listening streams do not use up the connections that calls
 * need.
 */
const PER_ORIGIN = 16;

/** Limits the streams that stay open to listen for changes, because each holds a connection. */
export interface ListenStreamLimit {
  /** Takes a place. Returns the function that releases it, or undefined if no place is left. */
  take(origin: string): (() => void) | undefined;
}

export function createListenStreamLimit(total: number): ListenStreamLimit {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(origin) {
      const here = taken.get(origin) ?? 0;
      if (all >= total || here >= PER_ORIGIN) return undefined;
      all++;
      taken.set(origin, here + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all--;
        const left = (taken.get(origin) ?? 1) - 1;
        if (left > 0) taken.set(origin, left);
        else taken.delete(origin);
      };
    },
  };
}
