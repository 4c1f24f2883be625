import { tagOf, tagsOf, type Clause, type Payload } from "../../../core/search/payload.ts";
import { sparseOfText } from "../../../core/search/sparse-vector.ts";
import { tokenise } from "../../../core/search/tokenise.ts";
import type { CheckedEntry, CheckedVector } from "../check.ts";
import type { IndexedEntry } from "../port.ts";
import { digest, revisionOf } from "../revision.ts";
import type { Point } from "./client.ts";
import { DENSE, SPARSE } from "./collection-config.ts";

/** The payload of a point. */
export interface PointPayload {
  workspaceId: string;
  id: string;
  text: string;
  revision: string;
  payload: Payload;
  /** The entry's payload, in the form that filters use. */
  tags: string[];
  words: string[];
  /** Whether the point waits for its dense vector. */
  pending: boolean;
}

/** The UUID of a point. It depends on the workspace, because the same id in another workspace is another point. */
export function pointId(workspaceId: string, id: string): string {
  const hex = digest([workspaceId, id], 16);
  const variant = "89ab"[Number.parseInt(hex[16] as string, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export function pointOf(
  workspaceId: string,
  { id, text, payload }: CheckedEntry,
  vector: CheckedVector | null,
): Point & { payload: PointPayload } {
  const words = tokenise(text);
  const carried: PointPayload = {
    workspaceId,
    id,
    text,
    revision: revisionOf(text),
    payload,
    tags: tagsOf(payload),
    words: [...new Set(words)],
    pending: vector === null,
  };
  const dense = vector && { [DENSE]: [...vector.values] };
  return {
    id: pointId(workspaceId, id),
    payload: carried,
    vector: { [SPARSE]: sparseOfText(words), ...dense },
  };
}

export const entryOf = ({ workspaceId, id, revision, payload }: PointPayload): IndexedEntry => ({
  workspaceId,
  id,
  revision,
  payload,
});

export const isWorkspace = (workspaceId: string) => ({ key: "workspaceId", match: { value: workspaceId } });

/** Matches the points of one workspace that satisfy the clauses. */
export function filterOf(workspaceId: string, clauses: readonly Clause[]) {
  const conditionOf = ({ key, values }: Clause) => ({
    key: "tags",
    match: { any: values.map(value => tagOf(key, value)) },
  });
  return {
    must: [isWorkspace(workspaceId), ...clauses.filter(({ not }) => !not).map(conditionOf)],
    must_not: clauses.filter(({ not, values }) => not && values.length > 0).map(conditionOf),
  };
}

/** Matches these points, each only if its text still has this revision. */
export const filterOfRevisions = (texts: readonly { point: string; revision: string }[]) => ({
  must: [{ has_id: texts.map(({ point }) => point) }],
  should: texts.map(({ point, revision }) => ({
    must: [{ has_id: [point] }, { key: "revision", match: { value: revision } }],
  })),
});
