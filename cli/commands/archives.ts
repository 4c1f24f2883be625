import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Weft } from "../../sdk/index.ts";
import { archiveLines, checkArchive, type Head } from "../archive-file.ts";
import { argument, type Command, CommandError, type Invocation } from "../command.ts";
import { findWorkspace, inWorkspace, isId, signedIn } from "../connection.ts";
import { Meter } from "../meter.ts";
import { OUTPUT_OPTIONS, writeOutput } from "../output-file.ts";
import { jsonText, printMessage, printResult, withoutControls } from "../terminal.ts";

/** The limits of one request. A longer record is sent alone. */
const MAX_BYTES = 256 * 1024;
const MAX_RECORDS = 100;
/** Allows for slow requests, because the records of the store and of the search index are written one after another. */
const TIMEOUT_MS = 120_000;

type Request = Parameters<Weft["workspaces"]["import"]>[0];
type Imported = Awaited<ReturnType<Weft["workspaces"]["import"]>>;

/** A user who moves a workspace must know that the archive does not contain everything. */
function tellLeftOut(leftOut: readonly string[]): void {
  if (leftOut.length > 0) printMessage(withoutControls(`Not in the archive: ${leftOut.join(", ")}.`));
}

async function exportWorkspace(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const { body } = await weft.workspaces.export();
  const lines = Readable.fromWeb((body ?? new Blob([]).stream()) as never);
  const to = given.text("output");
  const cutOff = () => new CommandError("The export was interrupted. Export again.");
  if (to === undefined) {
    return pipeline(lines, process.stdout, { end: false }).catch(() => {
      throw cutOff();
    });
  }
  await writeOutput(given, to, lines, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof CommandError || error.syscall ? error : cutOff();
  });
  const { records, leftOut } = await checkArchive(to);
  if (given.flag("json")) return printResult(jsonText({ file: to, records, leftOut }));
  printResult(`Exported ${records} records to ${withoutControls(to)}.`);
  tellLeftOut(leftOut);
}

/**
 * The workspace of the command, or a new one. Importing the same archive with the same name again uses the same
 * workspace.
 */
async function targetOf(given: Invocation, weft: Weft, head: Head): Promise<{ id: string; name: string }> {
  const into = given.text("into");
  if (into !== undefined) {
    return isId(into) ? weft.workspaces.get({ workspaceId: into }) : findWorkspace(weft, into);
  }
  const name = given.text("name") ?? head.workspace.name;
  const archive = `${head.workspace.id} ${head.exportedAt} ${name}`;
  const idempotencyKey = `import ${createHash("sha256").update(archive).digest("hex")}`.replace(" ", "-");
  return weft.workspaces.create({ name }, { idempotencyKey });
}

/** The records of an archive, grouped into requests. */
async function* requestsOf(file: string): AsyncGenerator<Request["records"], void, undefined> {
  let batch: Request["records"] = [];
  let bytes = 0;
  for await (const { line, text } of archiveLines(file)) {
    if (line.kind === "archive" || line.kind === "end") continue;
    const size = Buffer.byteLength(text);
    if (batch.length > 0 && (bytes + size > MAX_BYTES || batch.length >= MAX_RECORDS)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(line as unknown as Request["records"][number]);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function tellRest(imported: { credentials: Imported["credentials"] }): void {
  printMessage(
    "Schedules and webhooks are off: look at them, then enable them. Webhooks have new secrets: rotate to see them.",
  );
  for (const { name, type } of imported.credentials) {
    printMessage(
      withoutControls(
        `The credential "${name}"${type === null ? "" : ` of the type ${type}`} is missing: create it, and choose it in its steps.`,
      ),
    );
  }
}

async function importWorkspace(given: Invocation): Promise<void> {
  const file = argument(given);
  const { head, records: total, leftOut } = await checkArchive(file);
  const { weft } = await signedIn(given);
  const workspace = await targetOf(given, weft, head);
  const archive = { format: "weft-workspace", version: 1, workspaceId: head.workspace.id } as const;
  const meter = new Meter(process.stderr);
  const sum = { made: 0, existing: 0 };
  const credentials = new Map<string, Imported["credentials"][number]>();
  let sent = 0;
  try {
    for await (const records of requestsOf(file)) {
      const workspaceId = workspace.id;
      const done = await weft.workspaces.import({ workspaceId, archive, records }, { timeoutMs: TIMEOUT_MS });
      sum.made += done.made;
      sum.existing += done.existing;
      for (const one of done.credentials) credentials.set(`${one.type} ${one.name}`, one);
      meter.step("Imported", (sent += records.length), total, "records");
    }
  } catch (error) {
    printMessage(
      `${sent} of ${total} records are imported. Run the command again with --into ${workspace.id} to continue.`,
    );
    throw error;
  } finally {
    meter.end();
  }
  const result = { workspaceId: workspace.id, ...sum, credentials: [...credentials.values()], leftOut };
  if (given.flag("json")) return printResult(jsonText(result));
  printResult(
    withoutControls(`${workspace.id}  ${workspace.name}: ${sum.made} records imported, ${sum.existing} were there.`),
  );
  tellRest(result);
  tellLeftOut(leftOut);
}

export const ARCHIVES: Command[] = [
  {
    name: "export-workspace",
    group: "workspaces",
    summary: "Write a workspace to a file that import-workspace takes, without secrets",
    options: OUTPUT_OPTIONS,
    run: exportWorkspace,
  },
  {
    name: "import-workspace",
    group: "workspaces",
    args: "<file>",
    summary: "Import the archive of a workspace into a new or an existing workspace",
    options: {
      into: { type: "string", value: "workspace", help: "import into this workspace" },
      name: { type: "string", value: "name", help: "the name of the new workspace" },
    },
    notes: ["Run an interrupted import again to continue it. Existing records stay unchanged."],
    run: importWorkspace,
  },
];
