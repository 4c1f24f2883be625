/** Far fewer than the connections to one origin: what listens must not keep calls from theirs. */
const PER_ORIGIN = 16;

/** Streams that stay open to hear of changes hold a connection each; so many may, and no more. */
export interface ListeningPlaces {
  /** Gives the place back when called; undefined when there is none left. */
  take(origin: string): (() => void) | undefined;
}

export function createListeningPlaces(total: number): ListeningPlaces {
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
