import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Validation, WorkflowDocument } from "../../sdk/index.ts";
import { argument, type Command, CommandError, FAILED, type Invocation } from "../command.ts";
import { inSpace, workflowId } from "../connection.ts";
import { parseJson, readText } from "../read-input.ts";
import { jsonText, printMessage, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";
import { printOtherSpaces } from "./other-spaces.ts";

async function list(given: Invocation): Promise<void> {
  const { weft, spaceId } = await inSpace(given);
  const starred = given.flag("starred") ? { starred: true } : {};
  const all = await takeUpToLimit(given, weft.workflows.list({ trashed: given.flag("trashed"), ...starred }));
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, version, deployedVersion, updatedAt }) => {
    return [id, withoutControls(name), `${version}`, `${deployedVersion ?? ""}`, timeText(updatedAt)];
  });
  printResult(table(["ID", "NAME", "VERSION", "DEPLOYED", "CHANGED"], rows));
  const isPlain = !given.flag("trashed") && !given.flag("starred");
  if (all.length === 0 && isPlain) await printOtherSpaces(weft, spaceId, "workflows", weft.workflows.list);
}

async function get(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const found = await weft.workflows.get({ id: await workflowId(weft, argument(given)) });
  if (given.flag("json")) return printResult(jsonText(found));
  const { definition, deployedWarnings = [], ...workflow } = found;
  for (const { nodeId, path, message } of deployedWarnings)
    printMessage(
      withoutControls(
        `Warning: the deployed version would be refused now: ${nodeId ?? "workflow"}  ${path}: ${message}`,
      ),
    );
  const rows = Object.entries(workflow).map(([name, value]) => [name, withoutControls(String(value ?? ""))]);
  printResult(table(["FIELD", "VALUE"], rows));
  printResult(jsonText(definition));
}

async function exportOne(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const text = jsonText(await weft.workflows.export({ id: await workflowId(weft, argument(given)) }));
  const file = given.text("output");
  if (file === undefined) return printResult(text);
  await writeFile(file, `${text}\n`).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be written: ${error.code ?? error.message}`);
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * The content of a file: a workflow exported from Weft or another product, or a plain definition, which gets a name.
 */
async function readDocument(given: Invocation): Promise<unknown> {
  const file = argument(given);
  const content = parseJson(await readText(file), file);
  const name = given.text("name");
  const isDefinition = isObject(content) && Array.isArray(content.nodes) && Array.isArray(content.edges);
  if (isDefinition && !("format" in content)) {
    const fallback = file === "-" ? "Imported" : basename(file).replace(/\.json$/i, "");
    const document: WorkflowDocument = {
      format: "weft-workflow",
      version: 1,
      name: name ?? fallback,
      description: "",
      definition: content,
    };
    return document;
  }
  return isObject(content) && name !== undefined ? { ...content, name } : content;
}

const warn = (warnings: { node: string | null; message: string }[]) =>
  warnings.forEach(({ node, message }) =>
    printMessage(withoutControls(`weft: ${node === null ? "" : `${node}: `}${message}`)),
  );

/** Imports a file as the next version of a workflow. */
async function importInto(given: Invocation, into: string): Promise<void> {
  const { weft } = await inSpace(given);
  const document = await readDocument(given);
  const id = await workflowId(weft, into);
  const checked = await weft.workflows.check({ document });
  const own = isObject(document) ? document : {};
  const name = given.text("name");
  const definition = checked.definition ?? own.definition ?? null;
  const { description } = own;
  const workflow = await weft.workflows.update({
    id,
    definition,
    ...(name !== undefined && { name }),
    // A plain definition has no description, so the workflow keeps its own.
    ...(checked.definition === undefined && typeof description === "string" && description && { description }),
  });
  warn(checked.warnings);
  printResult(
    given.flag("json")
      ? jsonText(workflow)
      : withoutControls(`${workflow.id}  ${workflow.name}  version ${workflow.version}`),
  );
}

async function importOne(given: Invocation): Promise<void> {
  const into = given.text("into");
  if (into !== undefined) return importInto(given, into);
  const { weft } = await inSpace(given);
  const workflow = await weft.workflows.import({ document: await readDocument(given) });
  warn(workflow.warnings);
  printResult(given.flag("json") ? jsonText(workflow) : withoutControls(`${workflow.id}  ${workflow.name}`));
}

/** Checks a file by the rules of this version, like the service does. It contacts no server. */
async function checkFile(given: Invocation): Promise<Validation> {
  const [{ readDocument: readFile }, { anyIds }, { checkDefinition, errorsIn }] = await Promise.all([
    import("../../core/exchange/document.ts"),
    import("../../core/exchange/named-references.ts"),
    import("../../core/graph/check-definition.ts"),
  ]);
  const read = readFile(await readDocument(given));
  if (read.faults) {
    const told = read.faults.map(({ path, message }) => `  ${path || "file"}: ${message}`);
    throw new CommandError([`${argument(given)} is no workflow that can be imported:`, ...told].join("\n"));
  }
  warn(read.warnings);
  const faults = checkDefinition(anyIds(read.content.definition));
  return { valid: errorsIn(faults).length === 0, faults };
}

async function check(given: Invocation): Promise<Validation> {
  const wanted = argument(given);
  if (wanted === "-" || existsSync(wanted)) return checkFile(given);
  const { weft } = await inSpace(given);
  return weft.workflows.validate({ id: await workflowId(weft, wanted) });
}

async function validate(given: Invocation): Promise<number> {
  const validation = await check(given);
  const { valid, faults } = validation;
  if (given.flag("json")) printResult(jsonText(validation));
  else {
    if (valid) printResult("The workflow is valid.");
    for (const { nodeId, path, message, severity } of faults) {
      const text = withoutControls(`${nodeId ?? "workflow"}  ${path}: ${message}`);
      if (severity === "error") printResult(text);
      else printMessage(`Warning: ${text}`);
    }
  }
  return valid ? 0 : FAILED;
}

const NAME = { name: { type: "string", value: "name", help: "the name of the workflow" } } as const;

export const WORKFLOWS: Command[] = [
  {
    name: "workflows list",
    summary: "List the workflows of the space",
    options: {
      trashed: { type: "boolean", help: "list workflows in the trash" },
      starred: { type: "boolean", help: "list only starred workflows" },
      ...LIST_OPTIONS,
    },
    run: list,
  },
  { name: "workflows get", args: "<workflow>", summary: "Show a workflow with its definition", run: get },
  {
    name: "export",
    group: "workflows",
    args: "<workflow>",
    summary: "Print a workflow as a file that can be imported",
    options: { output: { type: "string", short: "o", value: "file", help: "write to this file" } },
    run: exportOne,
  },
  {
    name: "import",
    group: "workflows",
    args: "<file>",
    summary: "Create a workflow from a file: an export, one of n8n's, or a definition; - is standard input",
    options: {
      ...NAME,
      into: { type: "string", value: "workflow", help: "make it the next version of this workflow instead" },
    },
    run: importOne,
  },
  {
    name: "validate",
    group: "workflows",
    args: "<file or workflow>",
    summary: "Validate a workflow; the exit code is 1 if it has faults",
    notes: [
      "The command itself checks a file, or - for standard input, without a server. The service checks a workflow.",
    ],
    run: validate,
  },
];
