import type { PathPart } from "../../../contracts/entities/execution.ts";
import type { StepOutput } from "../../../contracts/entities/execution-step.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import { levelAt, type JournalPosition } from "../../../core/run/outline/facts.ts";
import type { Outline } from "../../../core/run/outline/outline.ts";
import { isLevelOver, itemStatusOf, stepStatusOf } from "../../../core/run/outline/rows.ts";
import type { ExecutionJournal } from "./journal.ts";

export interface StepAddress {
  nodeId: string;
  path: readonly PathPart[];
}

const entryAt = async (journal: ExecutionJournal, place: JournalPosition | null): Promise<StepEntry | undefined> =>
  place ? ((await journal.entry(place.seq, place.append)) as StepEntry | undefined) : undefined;

/** The payloads of a step, from the entry that ended it. */
async function ofStep(journal: ExecutionJournal, outline: Outline, at: StepAddress): Promise<StepOutput | undefined> {
  const level = levelAt(outline.root, at.path);
  const step = level?.steps.get(at.nodeId);
  if (!level || !step) return undefined;
  const status = stepStatusOf(step, isLevelOver(outline, level));
  const entry = await entryAt(journal, step.place);
  return {
    nodeId: at.nodeId,
    ...(at.path.length > 0 && { path: at.path }),
    status,
    ended: status !== "running" && status !== "waiting",
    ...(entry?.input !== undefined && { input: entry.input }),
    output: entry?.output ?? null,
    error: entry?.error ?? null,
  };
}

/**
 * The payloads of an item of a map or a round of a loop. The input is the item itself or the carry of the round. The
 * output is that of the last steps inside.
 */
async function ofItem(
  journal: ExecutionJournal,
  outline: Outline,
  { nodeId, path }: StepAddress,
): Promise<StepOutput | undefined> {
  const level = levelAt(outline.root, path);
  const map = level?.parent?.map;
  const { index = 0 } = path.at(-1) ?? {};
  if (!level?.item || !map) return undefined;
  const status = itemStatusOf(level.item, isLevelOver(outline, level));
  const began = await entryAt(journal, map.place);
  const ended = await entryAt(journal, level.item.place);
  // The output of an item that a retry keeps is in the entry that began the map.
  const output = ended
    ? "itemOutput" in ended
      ? ended.itemOutput
      : ended.output
    : began?.kept?.find(([kept]) => kept === index)?.[1];
  return {
    nodeId,
    path,
    status,
    ended: level.item.ended || status === "cancelled" || outline.isOver,
    input: (map.isLoop ? (await entryAt(journal, level.item.carry ?? null))?.output : began?.items?.[index]) ?? null,
    output: output ?? null,
    error: null,
  };
}

/**
 * The payloads of a step, or of an item if the path ends with the map itself; undefined if it has not begun. Large
 * values are references.
 */
export const stepPayloads = (journal: ExecutionJournal, outline: Outline, at: StepAddress) =>
  (at.path.at(-1)?.nodeId === at.nodeId ? ofItem : ofStep)(journal, outline, at);
