/** One possible next step. */
export interface Step<State> {
  name: string;
  to: State;
  /** True if the step is a fault. It may happen at any time, but progress must not depend on it. */
  fault?: boolean;
}

export interface Protocol<State> {
  initial: State;
  next(state: State): Step<State>[];
  /** The same for equal states. */
  key(state: State): string;
  /** Why a state is invalid, or null. */
  wrong(state: State): string | null;
  /** Whether everything has ended. */
  isEnd(state: State): boolean;
}

export interface Found {
  states: number;
  steps: number;
  /** An invalid state, or one from which no end can be reached although nothing else goes wrong. */
  violation: { what: string; trace: string[] } | null;
}

const NO_WAY_ON = "no way leads to an end from here";

/**
 * Checks every reachable state, breadth first, so that a trace is a shortest one. Then checks, from the ends backwards
 * without faults, whether every state can still end.
 * @throws {RangeError} beyond `limit` states
 */
export function explore<State>(protocol: Protocol<State>, limit = 1_000_000): Found {
  const numbers = new Map<string, number>([[protocol.key(protocol.initial), 0]]);
  const cameFrom: number[] = [-1];
  const cameBy: string[] = [""];
  const ends: number[] = [];
  // Edges without faults, as pairs of state numbers.
  const edges: number[] = [];
  let queue: State[] = [protocol.initial];
  let steps = 0;

  const trace = (number: number): string[] => {
    const names: string[] = [];
    for (let at = number; at > 0; at = cameFrom[at] ?? 0) names.unshift(cameBy[at] ?? "");
    return names;
  };
  const found = (what: string | null, number = 0): Found => ({
    states: numbers.size,
    steps,
    violation: what === null ? null : { what, trace: trace(number) },
  });

  for (let from = 0; queue.length > 0;) {
    const coming: State[] = [];
    for (const state of queue) {
      const what = protocol.wrong(state);
      if (what !== null) return found(what, from);
      if (protocol.isEnd(state)) ends.push(from);
      for (const { name, to, fault } of protocol.next(state)) {
        steps++;
        const key = protocol.key(to);
        let number = numbers.get(key);
        if (number === undefined) {
          number = numbers.size;
          if (number >= limit) throw new RangeError(`more than ${limit} states`);
          numbers.set(key, number);
          cameFrom.push(from);
          cameBy.push(name);
          coming.push(to);
        }
        if (!fault) edges.push(from, number);
      }
      from++;
    }
    queue = coming;
  }
  const stuck = firstWithoutEnd(numbers.size, edges, ends);
  return stuck === -1 ? found(null) : found(NO_WAY_ON, stuck);
}

/** The first state from which these edges do not lead to an end, or -1. */
function firstWithoutEnd(count: number, edges: number[], ends: number[]): number {
  // Edges by their target: those into n are at `first[n]` to `first[n + 1]`.
  const first = new Int32Array(count + 2);
  for (let i = 1; i < edges.length; i += 2) first[(edges[i] as number) + 2]!++;
  for (let n = 1; n < first.length; n++) first[n]! += first[n - 1]!;
  const sources = new Int32Array(edges.length / 2);
  for (let i = 0; i < edges.length; i += 2) sources[first[(edges[i + 1] as number) + 1]!++] = edges[i] as number;
  const canEnd = new Uint8Array(count);
  for (const end of ends) canEnd[end] = 1;
  const queue = [...ends];
  for (let to = queue.pop(); to !== undefined; to = queue.pop()) {
    for (let i = first[to] as number; i < (first[to + 1] as number); i++) {
      const from = sources[i] as number;
      if (canEnd[from]) continue;
      canEnd[from] = 1;
      queue.push(from);
    }
  }
  return canEnd.indexOf(0);
}
