import type { Client } from "pg";
import type Cursor from "pg-cursor";
import { postgresTypes } from "./postgres-values.ts";

/** What a cursor knows of its statement. `command` and `rowCount` are those of the end. */
interface CursorResult {
  fields: readonly { name: string }[];
  command: string | null;
  rowCount: number | null;
}

export interface Postgres {
  Client: typeof Client;
  /** A statement whose values are bound, and whose rows are read in batches. */
  cursor(text: string, values: unknown[]): Cursor<unknown[]>;
  read(cursor: Cursor<unknown[]>, count: number): Promise<{ read: unknown[][]; result: CursorResult }>;
}

interface CopyTarget {
  sendCopyFail(reason: string): void;
}

let loaded: Promise<Postgres> | undefined;

/** Loads the library where it is used, because most nodes connect to no database. */
export const loadPostgres = (): Promise<Postgres> => (loaded ??= load());

async function load(): Promise<Postgres> {
  const [{ default: pg }, { default: Base }] = await Promise.all([import("pg"), import("pg-cursor")]);
  const readArray = (text: string, read: (item: string) => unknown): unknown =>
    (pg.types as unknown as { arrayParser: { create(t: string, f: typeof read): { parse(): unknown } } }).arrayParser
      .create(text, read)
      .parse();
  const types = postgresTypes(readArray);

  /** Bytes of COPY have nowhere to go to or to come from. */
  class StatementCursor extends Base<unknown[]> {
    handleCopyInResponse(connection: CopyTarget): void {
      connection.sendCopyFail("COPY is not supported");
    }

    handleCopyData(): void {
      // Dropped.
    }
  }
  return {
    Client: pg.Client,
    cursor: (text, values) => new StatementCursor(text, values, { rowMode: "array", types }),
    read: (cursor, count) =>
      new Promise((resolve, reject) => {
        cursor.read(count, (error: Error | undefined | null, read, result) => {
          if (error) reject(error);
          else resolve({ read, result: result as unknown as CursorResult });
        });
      }),
  };
}
