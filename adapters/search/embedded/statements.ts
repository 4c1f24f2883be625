import { encode } from "../../../core/search/quantise.ts";
import type { Clause } from "../../../core/search/payload.ts";
import { tokenise } from "../../../core/search/tokenise.ts";
import type { IndexOp } from "../../store/port.ts";
import { MAX_EMBEDDED_CHARS, type CheckedEntry, type CheckedVector } from "../check.ts";
import type { Embedder, SearchKind } from "../port.ts";
import { revisionOf } from "../revision.ts";
import { filterExpression, tagTokens, wordTokens } from "./match-expression.ts";
import { spaceOf } from "./schema.ts";

type Statement = IndexOp["statements"][number];

const ENTRIES = '"search:entries"';
const NEWEST = `(SELECT max(g) FROM "search:embedders" WHERE kind = ?)`;
const LAGGING = `kind = ? AND (embedded < ${NEWEST} OR embedded > ${NEWEST})`;

export function putStatements(kind: SearchKind, workspaceId: string, entry: CheckedEntry): Statement[] {
  const space = spaceOf(kind, workspaceId);
  const revision = revisionOf(entry.text);
  const { id, text, payload, vector } = entry;
  return [
    {
      text: `INSERT INTO ${ENTRIES} (space, kind, workspace, id, revision, text, payload) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (space, id) DO UPDATE SET embedded = CASE WHEN revision = excluded.revision THEN embedded ELSE 0 END,
        revision = excluded.revision, text = excluded.text, payload = excluded.payload`,
      params: [space, kind, workspaceId, id, revision, text, JSON.stringify(payload)],
    },
    {
      text: `DELETE FROM "search:vectors" WHERE n = (SELECT n FROM ${ENTRIES} WHERE space = ? AND id = ?) AND revision <> ?`,
      params: [space, id, revision],
    },
    {
      text: `REPLACE INTO "search:words" (rowid, words, tags) SELECT n, ?, ? FROM ${ENTRIES} WHERE space = ? AND id = ?`,
      params: [wordTokens(space, tokenise(text)), tagTokens(space, payload), space, id],
    },
    ...(vector ? vectorStatements(kind, workspaceId, id, vector, revision) : []),
  ];
}

/** Has no effect if the entry is gone, its text has changed, or its kind no longer has the embedder. */
export function vectorStatements(
  kind: SearchKind,
  workspaceId: string,
  id: string,
  { embedder, values }: CheckedVector,
  revision: string | null,
): Statement[] {
  const space = spaceOf(kind, workspaceId);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return [
    {
      text: `REPLACE INTO "search:vectors" (g, space, n, revision, code, vector)
        SELECT g, space, n, revision, ?, ? FROM ${ENTRIES} JOIN "search:embedders" USING (kind)
        WHERE space = ? AND id = ? AND kind = ? AND embedder = ? AND dimension = ? AND revision = ifnull(?, revision)`,
      params: [encode(values), bytes, space, id, kind, embedder, values.length, revision],
    },
    {
      text: `UPDATE ${ENTRIES} SET embedded = ${NEWEST} WHERE space = ? AND id = ?
        AND EXISTS (SELECT 1 FROM "search:vectors" v WHERE v.n = ${ENTRIES}.n AND v.g = ${NEWEST})`,
      params: [kind, space, id, kind],
    },
  ];
}

export const removeStatement = (kind: SearchKind, workspaceId: string, id: string): Statement => ({
  text: `DELETE FROM ${ENTRIES} WHERE space = ? AND id = ?`,
  params: [spaceOf(kind, workspaceId), id],
});

/** Removes up to `limit` entries. Null if the clauses match nothing. */
export function removeSomeStatement(
  kind: SearchKind,
  workspaceId: string,
  clauses: readonly Clause[],
  limit: number,
): Statement | null {
  const space = spaceOf(kind, workspaceId);
  const expression = filterExpression(space, clauses);
  if (expression === null) return null;
  const chosen =
    clauses.length > 0
      ? `SELECT rowid FROM "search:words" WHERE "search:words" MATCH ? LIMIT ?`
      : `SELECT n FROM ${ENTRIES} WHERE space = ? LIMIT ?`;
  return {
    text: `DELETE FROM ${ENTRIES} WHERE n IN (${chosen})`,
    params: [clauses.length > 0 ? expression : space, limit],
  };
}

/** Keeps at most two models: the searched one, and this one, the newest. */
export const useEmbedderStatements = (kind: SearchKind, { id, dimension }: Embedder): Statement[] => [
  {
    text: `DELETE FROM "search:embedders" WHERE kind = ? AND NOT active AND NOT (embedder = ? AND dimension = ?)`,
    params: [kind, id, dimension],
  },
  {
    text: `INSERT INTO "search:embedders" (kind, embedder, dimension, active)
      SELECT ?, ?, ?, NOT EXISTS (SELECT 1 FROM "search:embedders" WHERE kind = ?)
      WHERE NOT EXISTS (SELECT 1 FROM "search:embedders" WHERE kind = ? AND embedder = ? AND dimension = ?)`,
    params: [kind, id, dimension, kind, kind, id, dimension],
  },
  // When a kind returns to an earlier model, entries that still have its vector need no new one.
  {
    text: `UPDATE ${ENTRIES} SET embedded = ${NEWEST} WHERE kind = ? AND embedded > ${NEWEST}
      AND EXISTS (SELECT 1 FROM "search:vectors" v WHERE v.n = ${ENTRIES}.n AND v.g = ${NEWEST})`,
    params: [kind, kind, kind, kind],
  },
];

export const settleStatements = (kind: SearchKind): Statement[] => [
  {
    text: `UPDATE "search:embedders" SET active = 1 WHERE g = ${NEWEST} AND NOT active
      AND NOT EXISTS (SELECT 1 FROM ${ENTRIES} WHERE ${LAGGING})`,
    params: [kind, kind, kind, kind],
  },
  {
    text: `DELETE FROM "search:embedders" WHERE kind = ?
      AND g < (SELECT max(g) FROM "search:embedders" WHERE kind = ? AND active)`,
    params: [kind, kind],
  },
];

export const giveUpStatement = (
  kind: SearchKind,
  entry: { workspaceId: string; id: string; revision: string },
): Statement => ({
  text: `UPDATE ${ENTRIES} SET embedded = ${NEWEST} WHERE space = ? AND id = ? AND revision = ?`,
  params: [kind, spaceOf(kind, entry.workspaceId), entry.id, entry.revision],
});

/** Removes vectors whose model no longer exists. */
export const dropVectorsStatement = (g: number, limit: number): Statement => ({
  text: `DELETE FROM "search:vectors" WHERE v IN (SELECT v FROM "search:vectors" WHERE g = ? LIMIT ?)`,
  params: [g, limit],
});

const WAITING = `SELECT workspace, id, substr(text, 1, ${MAX_EMBEDDED_CHARS}), revision FROM ${ENTRIES}`;

export const LAGGING_ENTRIES = `${WAITING} WHERE ${LAGGING} LIMIT ?`;
// Jumps from one value to the next in the index. The cost grows with the number of values, not of entries.
export const NEXT_EMBEDDED = `SELECT min(embedded) FROM ${ENTRIES} WHERE kind = ? AND embedded > ?`;
export const NEXT_SPACE = `SELECT min(space) FROM ${ENTRIES} WHERE kind = ? AND embedded = ? AND space > ?`;
export const ENTRIES_OF_SPACE = `${WAITING} WHERE kind = ? AND embedded = ? AND space = ? LIMIT ?`;
