/** A signal in an execution's inbox, for the step that asked: a numbered answer, or null for an expiry. */
export interface Signal {
  seq: number;
  nodeId: string;
  attempt: number;
  answer: number | null;
}

/** The fields of an execution's projection that the protocol needs. */
export interface Doc {
  status: string;
  queued?: boolean;
  workerId?: number;
  lost?: boolean;
  wakeAt?: boolean;
  inbox?: readonly Signal[];
  /** How many signals have ever arrived. */
  inboxed?: number;
  /** True if a user has requested a cancel. */
  cancelling?: boolean;
  /** Set if a cancel lets the run compensate: the compensations are intended, or have begun. */
  undoes?: "intended" | "begun";
}

interface Operators {
  $exists?: boolean;
  $eq?: unknown;
  $ne?: unknown;
  $in?: readonly unknown[];
}
export type Filter = { [K in keyof Doc]?: Doc[K] | Operators | null };
export interface Change {
  $set?: Partial<Doc>;
  $unset?: { [K in keyof Doc]?: 1 };
}

/** MongoDB's filters, as far as the protocol uses them. `null` matches missing fields. */
export function matches(doc: Doc, filter: Filter): boolean {
  for (const name in filter) {
    const value = doc[name as keyof Doc];
    const wanted = filter[name as keyof Doc];
    if (typeof wanted !== "object" || wanted === null) {
      if ((value ?? null) !== (wanted ?? null)) return false;
      continue;
    }
    const { $exists, $eq, $ne, $in } = wanted as Operators;
    if ($ne !== undefined && value === $ne) return false;
    if ($exists !== undefined && (value !== undefined) !== $exists) return false;
    if ($eq !== undefined && value !== $eq) return false;
    if ($in !== undefined && !$in.includes(value)) return false;
  }
  return true;
}

/** The document after a change. */
export function changed(doc: Doc, { $set, $unset }: Change): Doc {
  const after: Doc = { ...doc, ...$set };
  for (const name in $unset) delete after[name as keyof Doc];
  return after;
}

const flag = (value: boolean | undefined, letter: string): string => (value ? letter : "");

export const textOfDoc = ({
  status,
  queued,
  workerId,
  lost,
  wakeAt,
  inbox,
  inboxed,
  cancelling,
  undoes,
}: Doc): string =>
  `${status}${flag(queued, "q")}${flag(lost, "l")}${flag(wakeAt, "t")}${flag(cancelling, "c")}${undoes ?? ""}${workerId ?? "-"},${inboxed ?? 0},${
    inbox ? inbox.map(({ seq, nodeId, attempt, answer }) => `${seq}${nodeId}${attempt}.${answer}`).join() : ""
  }`;
