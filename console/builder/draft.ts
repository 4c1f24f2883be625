import { sameJson } from "../data/json.ts";
import type { Change, StoredWorkflow } from "../data/workflow-types.ts";
import type { Edits, Meta } from "./document/index.ts";

/** The parts of a workflow that can be edited. */
export interface WorkflowContent {
  meta: Meta;
  definition: unknown;
}

/** The version that a draft is based on. Comparing with it tells whether anything changed. */
export interface Base extends WorkflowContent {
  version: number;
  etag: string | undefined;
}

/** Unsaved changes of a workflow in their stored form. */
export interface Draft extends WorkflowContent {
  baseVersion: number;
  /** In milliseconds since 1970, by the clock of the device that wrote it. */
  at: number;
  /** The undo history. Only this browser stores it. */
  edits?: Edits;
  /** The user's message about the change. Only this browser stores it. */
  message?: string;
}

export type SaveState =
  | { kind: "saved"; version: number }
  | { kind: "typing" }
  | { kind: "here" }
  | { kind: "kept" }
  | { kind: "saving" }
  /** `kept`: whether this browser at least stored the draft, for example after a failed save. */
  | { kind: "failed"; why: string; kept: boolean };

/** A newer version by someone else that a save met. */
export interface Conflict {
  base: Base;
  theirs: Base;
}

/** The functions that a saver calls to reach the service and the browser. Each call may fail. */
export interface SaverPorts {
  save(change: Change, etag: string | undefined): Promise<StoredWorkflow>;
  newest(): Promise<StoredWorkflow>;
  keepHere(draft: Draft): Promise<void>;
  dropHere(): Promise<void>;
  keepThere(draft: Draft): Promise<void>;
  dropThere(): Promise<void>;
  isConflict(error: unknown): boolean;
  /** Whether the same request may succeed later, or may have succeeded although no answer came. */
  mayPass(error: unknown): boolean;
  words(error: unknown): string;
}

export const baseOf = ({ workflow, etag }: StoredWorkflow): Base => ({
  version: workflow.version,
  etag,
  meta: { name: workflow.name, description: workflow.description },
  definition: workflow.definition,
});

export const contentOfVersion = ({
  name,
  description,
  definition,
}: Meta & { definition: unknown }): WorkflowContent => ({
  meta: { name, description },
  definition,
});

export const isSameContent = (a: WorkflowContent, b: WorkflowContent): boolean =>
  sameJson(a.meta, b.meta) && sameJson(a.definition, b.definition);

/** The fields that a save sends: those that differ from the base version. Undefined if none differs. */
export function changeFrom(
  base: WorkflowContent,
  { meta, definition }: WorkflowContent,
  message: string,
): Change | undefined {
  const change: Change = {
    ...(meta.name !== base.meta.name && { name: meta.name }),
    ...(meta.description !== base.meta.description && { description: meta.description ?? "" }),
    ...(!sameJson(definition, base.definition) && { definition }),
  };
  if (Object.keys(change).length === 0) return undefined;
  return message.trim() === "" ? change : { ...change, message: message.trim() };
}
