import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { argument, type Command, type Invocation } from "../command.ts";
import { inWorkspace } from "../connection.ts";
import { OUTPUT_OPTIONS, writeOutput } from "../output-file.ts";
import { jsonText, printResult, table, withoutControls } from "../terminal.ts";
import { fileAt } from "./file-options.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

async function list(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const all = await takeUpToLimit(given, weft.files.list());
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, type, size }) => [id, withoutControls(name), withoutControls(type), `${size}`]);
  printResult(table(["ID", "NAME", "TYPE", "BYTES"], rows));
}

async function put(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const path = argument(given);
  const file = await fileAt(path);
  const name = given.text("name") ?? basename(path);
  const type = given.text("type");
  const stored = await weft.files.upload({ name, file, ...(type !== undefined && { contentType: type }) });
  printResult(given.flag("json") ? jsonText(stored) : stored.id);
}

async function get(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const { body } = await weft.files.download({ id: argument(given) });
  const bytes = Readable.fromWeb((body ?? new Blob([]).stream()) as never);
  const to = given.text("output");
  if (to === undefined) return pipeline(bytes, process.stdout, { end: false });
  await writeOutput(given, to, bytes);
}

async function remove(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  await weft.files.remove({ id: argument(given) });
}

export const FILES: Command[] = [
  { name: "files list", summary: "List the files of the workspace", options: LIST_OPTIONS, run: list },
  {
    name: "files put",
    args: "<file>",
    summary: "Upload a file and print its id",
    options: {
      name: { type: "string", value: "name", help: "a name for the file" },
      type: { type: "string", value: "type", help: "its media type, such as text/csv" },
    },
    run: put,
  },
  {
    name: "files get",
    args: "<id>",
    summary: "Download a file to standard output, or to --output",
    options: OUTPUT_OPTIONS,
    run: get,
  },
  { name: "files rm", args: "<id>", summary: "Delete a file", run: remove },
];
