import { textOfDoc, type Doc } from "./documents.ts";
import type { JournalNumber } from "./rules.ts";
import type { Write } from "./writes.ts";

/** What a worker knows of an execution that it goes on with. */
export interface Knowledge {
  /** The journal as it knows it, what it is about to append included. */
  known: JournalNumber;
  /** Signals that it has taken, and those of them that the journal has as well. */
  taken: number;
  kept: number;
}

/** What a worker does for one execution. Between two of its steps anything may happen, so it is cut at every read and write. */
export type Task =
  /** It has claimed the execution and is about to read its journal. */
  | { at: "taking"; doc: Doc }
  /** It has read the journal, and is about to tell the inbox that the time of questions is over. */
  | { at: "closing"; known: JournalNumber; lost: boolean }
  | ({ at: "writing"; left: Write[]; then: "here" | "parked" | "ended" } & Knowledge)
  /** Steps run, or it waits for a timer. */
  | ({ at: "here" } & Knowledge)
  /** It is about to look whether signals came. */
  | ({ at: "hearing" } & Knowledge)
  /** A write failed; it is about to look whose the execution is now. */
  | { at: "retaking" }
  | { at: "repairing"; status: string };

/** One execution in the hands of a worker, or not. */
export interface Hand {
  task: Task | null;
  text: string;
}

export interface Worker {
  alive: boolean;
  /** By execution. */
  hands: Hand[];
  text: string;
}

/** A person who answers or cancels: what the person has read and not yet acted upon. */
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
  /** Whether the projection ever said that the execution has ended. */
  ended: boolean[];
  workers: Worker[];
  /** The first ones answer; of the last two, one cancels, and one finishes what was left of a cancel. */
  people: Someone[];
  /** Writes whose sender was told of a failure. They may still come, at any time. */
  late: Write[];
  /** What may still go wrong. */
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

// Most parts of a state are those of the state before, so each is put into words once, when it is made.

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
