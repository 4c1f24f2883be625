/** A signal in an execution's inbox, for the step that asked: an answer by its number, or null where the time was over. */
export interface Signal {
  seq: number;
  nodeId: string;
  attempt: number;
  answer: number | null;
}

/** The projection of an execution, with what the protocol needs of it. */
export interface Doc {
  status: string;
  queued?: boolean;
  workerId?: number;
  lost?: boolean;
  wakeAt?: boolean;
  inbox?: readonly Signal[];
  /** How many signals ever came. */
  inboxed?: number;
  /** A user has asked to cancel it. */
  cancelling?: boolean;
  /** A cancel lets it undo what it has done: that is to begin, or has begun. */
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

/** MongoDB's filters, as far as the protocol takes them: `null` matches what is missing. */
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
