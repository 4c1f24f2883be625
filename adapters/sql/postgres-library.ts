import type { Client } from "pg";
import type Cursor from "pg-cursor";
import { postgresTypes } from "./postgres-values.ts";

/** A cursor's knowledge of its statement. `command` and `rowCount` are set at the end. */
interface CursorResult {
  fields: readonly { name: string }[];
  command: string | null;
  rowCount: number | null;
}

export interface Postgres {
  Client: typeof Client;
  /** Creates a statement with bound values, whose rows are read in batches. */
  cursor(text: string, values: unknown[]): Cursor<unknown[]>;
  read(cursor: Cursor<unknown[]>, count: number): Promise<{ read: unknown[][]; result: CursorResult }>;
}

interface CopyTarget {
  sendCopyFail(reason: string): void;
}

let loaded: Promise<Postgres> | undefined;

/** Loads the library at first use, because most nodes connect to no database. */
export const loadPostgres = (): Promise<Postgres> => (loaded ??= load());

async function load(): Promise<Postgres> {
  const [{ default: pg }, { default: Base }] = await Promise.all([import("pg"), import("pg-cursor")]);
  const readArray = (text: string, read: (item: string) => unknown): unknown =>
    (pg.types as unknown as { arrayParser: { create(t: string, f: typeof read): { parse(): unknown } } }).arrayParser
      .create(text, read)
      .parse();
  const types = postgresTypes(readArray);

  /** Refuses COPY, because its bytes have no source and no destination. */
  class StatementCursor extends Base<unknown[]> {
    handleCopyInResponse(connection: CopyTarget): void {
      connection.sendCopyFail("COPY is not supported");
    }

    handleCopyData(): void {
      // The bytes are dropped.
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
