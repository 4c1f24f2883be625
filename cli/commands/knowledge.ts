import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Weft } from "../../sdk/index.ts";
import { argument, type Command, CommandError, FAILED, type Invocation, UsageError } from "../command.ts";
import { findOne, inWorkspace } from "../connection.ts";
import { jsonOption } from "../read-input.ts";
import { jsonText, printResult, table, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

const LOOK_MS = 500;
/** Longer than the time limit for reading a file, because the import may first wait for other files. */
const WAIT_MS = 600_000;

async function list(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const all = await takeUpToLimit(given, weft.knowledge.list());
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, entryCount }) => [id, withoutControls(name), `${entryCount}`]);
  printResult(table(["ID", "NAME", "ENTRIES"], rows));
}

async function ended(weft: Weft, id: string, importId: string) {
  for (const end = Date.now() + WAIT_MS; ; await sleep(LOOK_MS)) {
    const one = await weft.knowledge.imports.get({ id, importId });
    if (one.finishedAt !== null || Date.now() > end) return one;
  }
}

async function metadataOf(given: Invocation): Promise<Record<string, unknown> | undefined> {
  const text = given.text("metadata");
  if (text === undefined) return undefined;
  const metadata = await jsonOption(text, "--metadata");
  if (typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)) return { ...metadata };
  throw new UsageError("--metadata takes a JSON object");
}

async function importFile(given: Invocation): Promise<number> {
  const { weft } = await inWorkspace(given);
  const path = argument(given, 1);
  const metadata = await metadataOf(given);
  const file = await openAsBlob(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read: ${error.code ?? error.message}`);
  });
  const bases = weft.knowledge.list({ limit: 200 });
  const { id } = await findOne(bases, argument(given), "knowledge base", base => [base.name]);
  const begun = await weft.knowledge.imports.upload({ id, name: given.text("name") ?? basename(path), file, metadata });
  const { status, entriesDone, error, name, ...rest } = await ended(weft, id, begun.id);
  if (given.flag("json")) printResult(jsonText({ name, status, entriesDone, error, ...rest }));
  else printResult(withoutControls(error ? `${name}: ${error.message}` : `${name}: ${status}, ${entriesDone} entries`));
  // An unfinished import counts as failed.
  return status === "completed" ? 0 : FAILED;
}

export const KNOWLEDGE: Command[] = [
  {
    name: "knowledge list",
    summary: "List the knowledge bases of the workspace",
    options: LIST_OPTIONS,
    run: list,
  },
  {
    name: "knowledge import",
    args: "<knowledge base> <file>",
    summary: "Import a text, Markdown, HTML, CSV, PDF, Word or Excel file and wait for it",
    options: {
      name: { type: "string", value: "name", help: "a name for the file" },
      metadata: { type: "string", value: "json", help: "metadata of every entry; @<file> reads it from a file" },
    },
    run: importFile,
  },
];
