import type { Level, Step, StepPath, StepsPage } from "../../data/run-types.ts";
import { isPass } from "../passes.ts";
import { stepKey } from "../step-state.ts";
import type { Attempt } from "./attempts.ts";

type Turn = NonNullable<Step["turns"]>[number];
type Call = Turn["calls"][number];

interface RowBase {
  key: string;
  depth: number;
  expanded: boolean | undefined;
}

/** A row of the step tree. Rows form a flat list, so that only visible ones are rendered. */
export type Row =
  | (RowBase & { kind: "step"; step: Step })
  /** A step of a child run. `run` is the id of the child run. */
  | (RowBase & { kind: "child"; step: Step; run: string })
  | (RowBase & { kind: "attempt"; attempt: Attempt; step: Step })
  | (RowBase & { kind: "turn"; turn: Turn; step: Step })
  | (RowBase & { kind: "call"; call: Call; step: Step })
  | (RowBase & { kind: "loading" })
  | (RowBase & { kind: "empty"; failedOnly: boolean })
  | (RowBase & { kind: "more"; of: string; shown: number });

/** A level whose rows the page needs. `of` is the row that it opens below, and undefined for the run itself. */
export interface OpenLevel {
  of: string;
  under: Level;
  pages: number;
  failedOnly: boolean;
  /** The id of the child run, if the level is its steps. */
  child?: string | undefined;
}

export const ROOT = "";

/** The level below a step or an item. Undefined if it contains nothing. */
export function levelBelow(step: Step): Level | undefined {
  const path: StepPath = step.path ?? [];
  if (isPass(step)) return path;
  if (step.items) return [...path, { nodeId: step.nodeId }];
  return undefined;
}

/** Whether a step has several attempts, which then open below it. */
export const hasRetries = (step: Step): boolean => step.attempt > 1 && !isPass(step);

export const rowKeyOf = (step: Step): string =>
  isPass(step) ? `${stepKey("", step.path)}` : stepKey(step.nodeId, step.path);

/** All visible rows in order, including those below rows that the user expanded. */
export function rowsOf(
  expanded: ReadonlySet<string>,
  loaded: ReadonlyMap<string, { page: StepsPage | undefined; failedOnly: boolean }>,
  attempts: ReadonlyMap<string, readonly Attempt[] | undefined> = new Map(),
): Row[] {
  const rows: Row[] = [];
  const addChild = (of: string, run: string, depth: number) => {
    const page = loaded.get(of)?.page;
    if (!page) return void rows.push({ kind: "loading", key: `${of}|loading`, depth, expanded: undefined });
    for (const step of page.steps)
      rows.push({ kind: "child", key: `${of}|${rowKeyOf(step)}`, depth, step, run, expanded: undefined });
    if (page.more)
      rows.push({ kind: "more", key: `${of}|more`, depth, of, shown: page.steps.length, expanded: undefined });
  };
  const add = (of: string, depth: number) => {
    const level = loaded.get(of);
    if (!level?.page) return void rows.push({ kind: "loading", key: `${of}|loading`, depth, expanded: undefined });
    if (level.page.steps.length === 0) {
      rows.push({ kind: "empty", key: `${of}|empty`, depth, expanded: undefined, failedOnly: level.failedOnly });
    }
    for (const step of level.page.steps) {
      const key = rowKeyOf(step);
      const turns = step.turns ?? [];
      const child = step.childExecutionId;
      const tried = hasRetries(step);
      const opens = levelBelow(step) !== undefined || turns.length > 0 || child !== undefined || tried;
      const isOpen = expanded.has(key);
      rows.push({ kind: "step", key, depth, step, expanded: opens ? isOpen : undefined });
      if (!isOpen) continue;
      if (tried) {
        const [known, at] = [attempts.get(key), { depth: depth + 1, expanded: undefined }];
        if (!known) rows.push({ kind: "loading", key: `${key}|attempts`, ...at });
        for (const attempt of known ?? [])
          rows.push({ kind: "attempt", key: `${key}|attempt ${attempt.attempt}`, attempt, step, ...at });
      }
      for (const turn of turns) {
        const turnKey = `${key}|${turn.turn}`;
        rows.push({ kind: "turn", key: turnKey, depth: depth + 1, turn, step, expanded: undefined });
        for (const call of turn.calls) {
          rows.push({
            kind: "call",
            key: `${turnKey}|${call.callId}`,
            depth: depth + 2,
            call,
            step,
            expanded: undefined,
          });
        }
      }
      if (child !== undefined) addChild(key, child, depth + 1);
      else if (levelBelow(step)) add(key, depth + 1);
    }
    if (level.page.more) {
      rows.push({ kind: "more", key: `${of}|more`, depth, of, shown: level.page.steps.length, expanded: undefined });
    }
  };
  add(ROOT, 0);
  return rows;
}
