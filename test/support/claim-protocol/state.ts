import { textOfDoc, type Doc } from "./documents.ts";
import type { JournalNumber } from "./rules.ts";
import type { Write } from "./writes.ts";

/** What a worker knows about an execution that it holds. */
export interface Knowledge {
  /** The journal as the worker knows it, including its next append. */
  known: JournalNumber;
  /** The number of taken signals, and how many of them are in the journal. */
  taken: number;
  kept: number;
}

/**
 * What a worker does for one execution. Anything may happen between two of its steps, so it is split at every read and
 * write.
 */
export type Task =
  /** It has claimed the execution and will read its journal. */
  | { at: "taking"; doc: Doc }
  /** It has read the journal, and will put expiries of questions into the inbox. */
  | { at: "closing"; known: JournalNumber; lost: boolean }
  | ({ at: "writing"; left: Write[]; then: "here" | "parked" | "ended" } & Knowledge)
  /** Steps run, or it waits for a timer. */
  | ({ at: "here" } & Knowledge)
  /** It will check for new signals. */
  | ({ at: "hearing" } & Knowledge)
  /** A write failed. It will check who holds the execution now. */
  | { at: "retaking" }
  | { at: "repairing"; status: string };

/** A worker's hold on one execution, or none. */
export interface Hand {
  task: Task | null;
  text: string;
}

export interface Worker {
  alive: boolean;
  /** Indexed by execution. */
  hands: Hand[];
  text: string;
}

/** A person who answers or cancels, with what the person has read and not yet used. */
export type Person =
  | { at: "idle" }
  | { at: "answering"; execution: number; nodeId: string; write: Write }
  | { at: "answered"; execution: number; nodeId: string }
  | { at: "cancelling"; execution: number; left: Write[] }
  | { at: "gone" };

interface Someone {
  person: Person;
  text: string;
}

export interface State {
  docs: Doc[];
  journals: JournalNumber[];
  /** Whether the projection has ever shown that the execution ended. */
  ended: boolean[];
  workers: Worker[];
  /** The first ones answer. Of the last two, one cancels, and one finishes an interrupted cancel. */
  people: Someone[];
  /** Writes that failed for their sender. They may still arrive at any time. */
  late: Write[];
  /** The faults that may still happen. */
  faults: { crashes: number; lapses: number; timeouts: number };
}

function textOfTask(task: Task): string {
  switch (task.at) {
    case "taking":
      return `t${textOfDoc(task.doc)}`;
    case "writing":
      return `w${task.known},${task.taken},${task.kept}${task.then}${task.left.map(write => write.text).join("+")}`;
    case "here":
      return `h${task.known},${task.taken},${task.kept}`;
    case "hearing":
      return `l${task.known},${task.taken},${task.kept}`;
    case "closing":
      return `c${task.known}${task.lost}`;
    case "retaking":
      return "r";
    case "repairing":
      return `p${task.status}`;
  }
}

function textOfPerson(person: Person): string {
  switch (person.at) {
    case "answering":
      return `?${person.nodeId}${person.write.text}`;
    case "answered":
      return `!${person.execution}${person.nodeId}`;
    case "cancelling":
      return `x${person.execution}${person.left.map(write => write.text).join("+")}`;
    default:
      return person.at;
  }
}

// Most parts of a state are shared with the previous state, so the text of each part is computed once, when it is
// created.

export const hand = (task: Task | null): Hand => ({ task, text: task ? textOfTask(task) : "" });
export const EMPTY = hand(null);

export const worker = (alive: boolean, hands: Hand[]): Worker => ({
  alive,
  hands,
  text: (alive ? "" : "dead") + hands.map(({ text }) => text).join("/"),
});

export const someone = (person: Person): Someone => ({ person, text: textOfPerson(person) });

export function textOf({ docs, journals, ended, workers, people, late, faults }: State): string {
  let text = `${journals.join()}${faults.crashes}${faults.lapses}${faults.timeouts}`;
  for (const [e, doc] of docs.entries()) text += `|${ended[e] ? "!" : ""}${textOfDoc(doc)}`;
  for (const part of workers) text += `|${part.text}`;
  for (const part of people) text += `|${part.text}`;
  for (const part of late) text += `+${part.text}`;
  return text;
}
