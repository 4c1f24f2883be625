import { argument, type Command, type Invocation, UsageError } from "../command.ts";
import { inSpace, workflowId } from "../connection.ts";
import { linesOf } from "../diff-lines.ts";
import { jsonText, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

const NUMBER = /^[1-9]\d{0,8}$/;

function versionIn(text: string | undefined, what: string): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!NUMBER.test(text)) throw new UsageError(`${what} takes the number of a version`);
  return Number(text);
}

async function versions(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const id = await workflowId(weft, argument(given));
  const all = await takeUpToLimit(given, weft.workflows.versions({ id, fields: "summary" }));
  if (given.flag("json")) return printResult(jsonText(all));
  const { deployedVersion } = await weft.workflows.get({ id });
  const rows = all.map(({ version, name, message, createdAt }) => {
    return [
      `${version}`,
      version === deployedVersion ? "deployed" : "",
      timeText(createdAt),
      withoutControls(message ?? name),
    ];
  });
  printResult(table(["VERSION", "", "CREATED", "CHANGE"], rows));
}

async function deploy(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const version = versionIn(given.text("version"), "--version");
  const message = given.text("message");
  const workflow = await weft.workflows.deploy({
    id: await workflowId(weft, argument(given)),
    ...(version !== undefined && { version }),
    ...(message && { message }),
    force: given.flag("force"),
  });
  if (given.flag("json")) return printResult(jsonText(workflow));
  printResult(withoutControls(`Version ${workflow.deployedVersion ?? ""} of ${workflow.name} is deployed.`));
}

async function diff(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const workflow = await weft.workflows.get({ id: await workflowId(weft, argument(given)) });
  const from = versionIn(argument(given, 1), "diff") ?? workflow.deployedVersion ?? Math.max(1, workflow.version - 1);
  const to = versionIn(argument(given, 2), "diff") ?? workflow.version;
  if (from === to) return printResult(`Versions ${from} and ${to} are equal.`);
  const found = await weft.workflows.diff({ id: workflow.id, from, to });
  if (given.flag("json")) return printResult(jsonText(found));
  const lines = linesOf(found);
  printResult(lines.length > 0 ? lines.map(withoutControls).join("\n") : `Versions ${from} and ${to} are equal.`);
}

export const VERSIONS: Command[] = [
  {
    name: "versions",
    group: "workflows",
    args: "<workflow>",
    summary: "List the versions of a workflow, newest first",
    options: LIST_OPTIONS,
    run: versions,
  },
  {
    name: "diff",
    group: "workflows",
    args: "<workflow> [<from>] [<to>]",
    summary: "Show how two versions differ; without numbers, the deployed version and the newest",
    run: diff,
  },
  {
    name: "deploy",
    group: "workflows",
    args: "<workflow>",
    summary: "Deploy the newest version of a workflow, or another one",
    options: {
      version: { type: "string", value: "number", help: "the version; default: the newest" },
      message: { type: "string", short: "m", value: "text", help: "a message for the list of deployments" },
      force: { type: "boolean", help: "deploy even if the definition has faults" },
    },
    run: deploy,
  },
];
