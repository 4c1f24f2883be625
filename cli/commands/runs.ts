import { argument, type Command, CommandError, type Invocation, UsageError } from "../command.ts";
import { inSpace, workflowId } from "../connection.ts";
import { FOLLOW_OPTIONS, followOrHint, followRun, openQuestionLines } from "../follow-run.ts";
import { entryLine } from "../progress.ts";
import { jsonOption } from "../read-input.ts";
import { jsonText, printResult } from "../terminal.ts";
import { filesOption } from "./file-options.ts";
import { labelsOption, LIST_RUNS } from "./list-runs.ts";
import { firstOf } from "./lists.ts";
import { QUESTIONS_LIST } from "./questions.ts";
import { pathOption, RUN_STEPS } from "./run-steps.ts";

const CONFLICTS = ["return", "reject", "cancel"] as const;

async function run(given: Invocation): Promise<number> {
  const text = given.text("input");
  const input = text === undefined ? null : await jsonOption(text, "--input");
  const version = given.text("version");
  if (version !== undefined && !/^[1-9]\d{0,8}$/.test(version)) throw new UsageError("--version takes a number");
  const { weft } = await inSpace(given);
  const onConflict = CONFLICTS.find(one => one === given.text("on-conflict"));
  if (given.text("on-conflict") !== undefined && !onConflict)
    throw new UsageError(`--on-conflict is one of ${CONFLICTS.join(", ")}`);
  const [key, labels] = [given.text("key"), labelsOption(given.text("labels"))];
  const named = { ...(key && { key }), ...(labels && { labels }), ...(onConflict && { onConflict }) };
  const start = { workflowId: await workflowId(weft, argument(given)), input, ...named };
  const request = { ...start, ...(version && { version: Number(version) }) };
  const files = await filesOption(given.texts("file"));
  const execution = files
    ? await weft.executions.startWithFiles({ ...request, files })
    : await weft.executions.start(request);
  return followOrHint(given, weft, execution);
}

async function get(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const execution = await weft.executions.get({ id: argument(given) });
  printResult(jsonText(execution));
}

async function logs(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const id = argument(given);
  const json = given.flag("json");
  if (given.flag("follow")) {
    for await (const { data } of weft.executions.events({ id })) {
      printResult(json ? jsonText(data, 0) : entryLine(data, process.stdout));
    }
    return;
  }
  const entries = weft.executions.logs({ id, limit: 200 });
  if (json) return printResult(jsonText(await firstOf(entries)));
  for await (const entry of entries) printResult(entryLine(entry, process.stdout));
}

const ANSWER_OPTIONS = {
  node: { type: "string", value: "id", help: "the step that asks, if there are several" },
  path: { type: "string", value: "node:index", help: "the map item of the step that asks" },
  data: { type: "string", short: "d", value: "json", help: "the data: JSON, @file, or - for standard input" },
  ...FOLLOW_OPTIONS,
} as const;

async function answer(given: Invocation, approved: boolean): Promise<number> {
  const [nodeId, pathText, dataText] = ["node", "path", "data"].map(given.text);
  const named = { ...(nodeId && { nodeId }), ...(pathText && { path: pathOption(pathText) }) };
  const data = dataText === undefined ? {} : { data: await jsonOption(dataText, "--data") };
  const { weft } = await inSpace(given);
  const id = argument(given);
  if (!nodeId && !pathText) {
    const open = openQuestionLines(await weft.executions.get({ id }));
    if (open.length > 1) throw new CommandError(["There are several questions:", ...open].join("\n  "));
  }
  return followOrHint(given, weft, await weft.executions.respond({ id, approved, ...named, ...data }));
}

async function sendSignal(given: Invocation): Promise<void> {
  const [key, id, text] = ["key", "id", "data"].map(given.text);
  const data = text === undefined ? {} : { data: await jsonOption(text, "--data") };
  const { weft } = await inSpace(given);
  const named = { ...(key && { key }), ...(id && { id }) };
  const { delivered, kept } = await weft.executions.signal({ name: argument(given), ...named, ...data });
  if (given.flag("json")) return printResult(jsonText({ delivered, kept }));
  printResult(kept ? "No step waits for it yet: it is kept." : `Delivered to ${delivered}.`);
}

async function retry(given: Invocation): Promise<number> {
  const { weft } = await inSpace(given);
  const [fromNode, inputText] = ["from-node", "input"].map(given.text);
  const input = inputText === undefined ? {} : { input: await jsonOption(inputText, "--input") };
  const retried = await weft.executions.retry({
    id: argument(given),
    ...(fromNode && { fromNode }),
    fromStart: given.flag("from-start"),
    ...input,
    version: given.flag("latest") ? "latest" : "original",
  });
  return followOrHint(given, weft, retried);
}

export const RUNS: Command[] = [
  {
    name: "run",
    group: "workflows",
    args: "<workflow>",
    summary: "Run a workflow",
    options: {
      input: { type: "string", short: "i", value: "json", help: "its input: JSON, @file, or - for standard input" },
      file: {
        type: "string",
        value: "name=path",
        multiple: true,
        help: "a file as a member of the input, optionally with ;type=image/png at the end",
      },
      version: { type: "string", value: "number", help: "the version to run; default: the newest" },
      key: { type: "string", value: "key", help: "the key of the run; at most one open run of a workflow has it" },
      "on-conflict": { type: "string", value: "what", help: "when the key is taken: return, reject or cancel" },
      labels: { type: "string", value: "name=value,…", help: "labels of the run" },
      ...FOLLOW_OPTIONS,
    },
    notes: ["With --wait or --watch, the exit code is 1 if the run does not complete."],
    run,
  },
  LIST_RUNS,
  { name: "executions get", args: "<id>", summary: "Show a run with its input and output", run: get },
  ...RUN_STEPS,
  {
    name: "watch",
    group: "executions",
    args: "<id>",
    summary: "Follow a run to its end, step by step",
    run: async given => followRun(given, (await inSpace(given)).weft, argument(given), true),
  },
  {
    name: "logs",
    group: "executions",
    args: "<id>",
    summary: "Print the log of a run",
    options: { follow: { type: "boolean", short: "f", help: "keep printing new entries until the run ends" } },
    run: logs,
  },
  QUESTIONS_LIST,
  {
    name: "approve",
    group: "executions",
    args: "<id>",
    summary: "Approve the question of a run",
    options: ANSWER_OPTIONS,
    run: given => answer(given, true),
  },
  {
    name: "respond",
    group: "executions",
    args: "<id>",
    summary: "Answer the question of a run",
    options: { ...ANSWER_OPTIONS, reject: { type: "boolean", help: "reject instead of approving" } },
    run: given => answer(given, !given.flag("reject")),
  },
  {
    name: "cancel",
    group: "executions",
    args: "<id>",
    summary: "Cancel a run",
    options: { compensate: { type: "boolean", help: "first undo its completed steps that have a compensation" } },
    run: async given => {
      const { weft } = await inSpace(given);
      const compensate = given.flag("compensate");
      await weft.executions.cancel({ id: argument(given), ...(compensate && { compensate }) });
      printResult(given.flag("json") ? jsonText({ id: argument(given) }) : `Cancelled ${argument(given)}.`);
    },
  },
  {
    name: "signal",
    group: "executions",
    args: "<name>",
    summary: "Send a signal to the runs that wait for it",
    options: {
      key: { type: "string", value: "key", help: "only to steps that wait for this key" },
      data: { type: "string", short: "d", value: "json", help: "the data: JSON, @file, or - for standard input" },
      id: { type: "string", value: "id", help: "an id of the signal, so that Weft delivers it once" },
    },
    run: sendSignal,
  },
  {
    name: "retry",
    group: "executions",
    args: "<id>",
    summary: "Retry a run from the failed step",
    options: {
      "from-node": { type: "string", value: "id", help: "retry from this step instead" },
      "from-start": { type: "boolean", help: "retry the whole run" },
      input: { type: "string", short: "i", value: "json", help: "with --from-start: another input, as `run` takes it" },
      latest: { type: "boolean", help: "use the newest version of the workflow" },
      ...FOLLOW_OPTIONS,
    },
    run: retry,
  },
];
