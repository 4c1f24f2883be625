import type { SearchKind } from "../port.ts";
import { digest } from "../revision.ts";

// Every token and every code begins with its space: the part of a kind that belongs to one workspace. So no query can
// reach another space.

/**
 * `embedders`: the models of a kind. The newest is in use, and the `active` one is searched. `entries.embedded` is the
 * newest model for which the entry needs no vector any more. `vectors.v` never repeats and grows with every change, so
 * rows after the last one read are new.
 */
export const SEARCH_SCHEMA = `
CREATE TABLE IF NOT EXISTS "search:embedders" (g INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, embedder TEXT NOT NULL,
  dimension INTEGER NOT NULL, active INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS "search:entries" (n INTEGER PRIMARY KEY AUTOINCREMENT, space TEXT NOT NULL, kind TEXT NOT NULL,
  workspace TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, text TEXT NOT NULL, payload TEXT NOT NULL,
  embedded INTEGER NOT NULL DEFAULT 0, UNIQUE (space, id));
CREATE INDEX IF NOT EXISTS "search:entries:kind" ON "search:entries" (kind, n);
CREATE INDEX IF NOT EXISTS "search:entries:lagging" ON "search:entries" (kind, embedded, space);
DROP INDEX IF EXISTS "search:entries:embedded";
CREATE TABLE IF NOT EXISTS "search:vectors" (v INTEGER PRIMARY KEY AUTOINCREMENT, g INTEGER NOT NULL, space TEXT NOT NULL,
  n INTEGER NOT NULL, revision TEXT NOT NULL, code BLOB NOT NULL, vector BLOB NOT NULL, UNIQUE (n, g));
CREATE INDEX IF NOT EXISTS "search:vectors:codes" ON "search:vectors" (g, space, v, n, code);
CREATE VIRTUAL TABLE IF NOT EXISTS "search:words" USING fts5(words, tags, content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '_'");
CREATE TRIGGER IF NOT EXISTS "search:gone" AFTER DELETE ON "search:entries" BEGIN
  DELETE FROM "search:words" WHERE rowid = old.n;
  DELETE FROM "search:vectors" WHERE n = old.n;
END;
`;

export const spaceOf = (kind: SearchKind, workspaceId: string): string => digest([kind, workspaceId], 12);
