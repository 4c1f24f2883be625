import { createReadStream } from "node:fs";
import { CommandError } from "./command.ts";

/** The longest line. It equals the default limit of a request body of the API. */
const MAX_LINE_BYTES = 1_000_000;
const NEWLINE = 0x0a;

export interface Head {
  format: string;
  version: number;
  exportedAt: string;
  workspace: { id: string; name: string };
}
export type Line = { kind: string } & Record<string, unknown>;

const notAnArchive = (file: string, why: string) => new CommandError(`${file} cannot be imported: ${why}`);

/** The lines of a file. At most one chunk and one line are in memory. */
async function* linesOf(file: string): AsyncGenerator<string, void, undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_LINE_BYTES) throw notAnArchive(file, `a line is longer than ${MAX_LINE_BYTES} bytes.`);
    parts.push(part);
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end));
      yield Buffer.concat(parts).toString("utf8");
      [parts, bytes, from] = [[], 0, end + 1];
    }
    take(chunk.subarray(from));
  }
  if (bytes > 0) throw notAnArchive(file, "the archive is cut off.");
}

/** The head and the records of an archive, each parsed and as text. */
export async function* archiveLines(file: string): AsyncGenerator<{ line: Line; text: string }, void, undefined> {
  let number = 0;
  try {
    for await (const text of linesOf(file)) {
      number++;
      let line: unknown;
      try {
        line = JSON.parse(text);
      } catch {
        throw notAnArchive(file, `line ${number} is not JSON.`);
      }
      if (typeof (line as Partial<Line> | null)?.kind !== "string") {
        throw notAnArchive(file, `line ${number} is not a record.`);
      }
      yield { line: line as Line, text };
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof CommandError || code === undefined) throw error;
    throw new CommandError(`${file} cannot be read: ${code}`);
  }
}

/**
 * The head of an archive, the number of its records, and the list of what it leaves out. Older archives have no such
 * list.
 * @throws {CommandError} when the file is not an archive of this version, or is incomplete
 */
export async function checkArchive(file: string): Promise<{ head: Head; records: number; leftOut: string[] }> {
  let head: Head | undefined;
  let [records, end] = [0, -1];
  let leftOut: string[] = [];
  for await (const { line } of archiveLines(file)) {
    if (!head) {
      head = line as unknown as Head;
      if (head.format !== "weft-workspace") throw notAnArchive(file, "it is not the archive of a workspace.");
      if (head.version !== 1) throw notAnArchive(file, `its version is ${head.version}, and this version reads 1.`);
      if (typeof head.workspace?.id !== "string") throw notAnArchive(file, "its head names no workspace.");
    } else if (line.kind === "end") {
      end = Number(line.records);
      if (Array.isArray(line.leftOut)) leftOut = line.leftOut.map(String);
    } else records++;
  }
  if (!head) throw notAnArchive(file, "it is empty.");
  if (end !== records) throw notAnArchive(file, "the archive is cut off.");
  return { head, records, leftOut };
}
