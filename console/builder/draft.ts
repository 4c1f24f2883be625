import type { Change, Stored } from "../data/workflow-types.ts";
import type { Edits, Meta } from "./document/index.ts";

/** A workflow as far as it can be edited. */
export interface Side {
  meta: Meta;
  definition: unknown;
}

/** What a draft is based on, and what is compared with to know whether anything was changed. */
export interface Base extends Side {
  version: number;
  etag: string | undefined;
}

/** An edited workflow that is not saved, as it is kept. */
export interface Draft extends Side {
  baseVersion: number;
  /** In milliseconds since 1970, by the clock of the device that wrote it. */
  at: number;
  /** What can be undone. Only this browser keeps it. */
  edits?: Edits;
  /** What the person says of the change. Only this browser keeps it. */
  message?: string;
}

export type SaveState =
  | { kind: "saved"; version: number }
  | { kind: "typing" }
  | { kind: "here" }
  | { kind: "kept" }
  | { kind: "saving" }
  /** `kept`: whether the draft at least is in this browser, as after a save that failed. */
  | { kind: "failed"; why: string; kept: boolean };

/** A version of others that a save met. */
export interface Conflict {
  base: Base;
  theirs: Base;
}

/** The outside of a keeper. Each call may fail. */
export interface Ports {
  save(change: Change, etag: string | undefined): Promise<Stored>;
  newest(): Promise<Stored>;
  keepHere(draft: Draft): Promise<void>;
  dropHere(): Promise<void>;
  keepThere(draft: Draft): Promise<void>;
  dropThere(): Promise<void>;
  isConflict(error: unknown): boolean;
  /** Whether the same request may succeed later, or has perhaps succeeded without an answer. */
  mayPass(error: unknown): boolean;
  words(error: unknown): string;
}

export const baseOf = ({ workflow, etag }: Stored): Base => ({
  version: workflow.version,
  etag,
  meta: { name: workflow.name, description: workflow.description },
  definition: workflow.definition,
});

export const sideOfVersion = ({ name, description, definition }: Meta & { definition: unknown }): Side => ({
  meta: { name, description },
  definition,
});

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export const sameSide = (a: Side, b: Side): boolean => same(a.meta, b.meta) && same(a.definition, b.definition);

/** What a save sends: only what differs from the version that it is based on. Undefined where nothing differs. */
export function changeFrom(base: Side, { meta, definition }: Side, message: string): Change | undefined {
  const change: Change = {
    ...(meta.name !== base.meta.name && { name: meta.name }),
    ...(meta.description !== base.meta.description && { description: meta.description ?? "" }),
    ...(!same(definition, base.definition) && { definition }),
  };
  if (Object.keys(change).length === 0) return undefined;
  return message.trim() === "" ? change : { ...change, message: message.trim() };
}
