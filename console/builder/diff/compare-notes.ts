import { isRecord } from "../../data/json.ts";
import { words } from "../../messages/en-builder.ts";
import { type DocumentState, nameOf, type Note, notesOf } from "../document/index.ts";
import type { Difference } from "./difference.ts";

const FIELDS = ["text", "colour", "steps", "front"] as const;
const PLACE = ["x", "y", "width", "height"] as const;
const MAX_TITLE = 40;

/** What a person reads of a note: its text, its colour by name, and the names of the steps that it is about. */
function readable(state: DocumentState, { text, colour = "plain", steps = [], front = false }: Note) {
  const colours: Record<string, string> = words.noteColours;
  return {
    text,
    colour: colours[colour] ?? colour,
    steps: steps.map(id => nameOf(state, id)).join(", ") || undefined,
    front: front ? true : undefined,
  };
}

const firstLine = (text: string) =>
  text
    .trim()
    .split("\n", 1)[0]!
    .replace(/^#+\s*/, "");
const titleOf = ({ text }: Note): string => words.noteTitle(firstLine(text).slice(0, MAX_TITLE));

/** The notes that are added, removed, changed or moved, in the order of the newer version. */
export function noteDifferences(from: DocumentState, to: DocumentState): Difference[] {
  const before = new Map(notesOf(from).map(note => [note.id, note]));
  const after = new Map(notesOf(to).map(note => [note.id, note]));
  const text = (was: string | undefined, is: string | undefined) => [{ name: "text", from: was, to: is }];
  const kept = [...after.values()].flatMap((note): Difference[] => {
    const common = { id: undefined, note: note.id, title: titleOf(note) };
    const old = before.get(note.id);
    if (!old) return [{ ...common, mark: "added", fields: text(undefined, note.text) }];
    const [was, is] = [readable(from, old), readable(to, note)];
    const fields = FIELDS.filter(name => was[name] !== is[name]).map(name => ({
      ...{ name, from: was[name], to: is[name] },
    }));
    if (fields.length > 0) return [{ ...common, mark: "changed", fields }];
    return PLACE.some(name => old[name] !== note[name]) ? [{ ...common, mark: "moved", fields }] : [];
  });
  const gone = [...before.values()].filter(({ id }) => !after.has(id));
  return [
    ...kept,
    ...gone.map((note): Difference => ({
      ...{ id: undefined, note: note.id, title: titleOf(note), mark: "removed", fields: text(note.text, undefined) },
    })),
  ];
}

/** The notes of a definition that the canvas cannot draw, as they stand. */
export function otherNotes(root: unknown): unknown[] | undefined {
  const { notes } = isRecord(root) ? root : {};
  if (!Array.isArray(notes)) return undefined;
  const drawn = new Set(notesOf({ root }).map(({ index }) => index));
  const others = (notes as unknown[]).filter((_, index) => !drawn.has(index));
  return others.length > 0 ? others : undefined;
}
