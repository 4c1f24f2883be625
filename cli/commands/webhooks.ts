import type { Calls, NewWebhook, Weft } from "../../sdk/index.ts";
import {
  argument,
  type Command,
  CommandError,
  type Invocation,
  type Options,
  switchOption,
  UsageError,
} from "../command.ts";
import { findOne, inSpace, isId, workflowId } from "../connection.ts";
import { jsonOption, parseJson, readText } from "../read-input.ts";
import { jsonText, printMessage, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";
import { printOtherSpaces } from "./other-spaces.ts";

type Settings = Omit<Calls["webhooks.update"]["input"], "id" | "workspaceId" | "spaceId">;
type Auth = NonNullable<Settings["auth"]>;
type Respond = NonNullable<Settings["respond"]>;

/** Authentication types of webhooks that need no further settings. */
const PLAIN = ["header", "path", "none"];

const webhookId = async (weft: Weft, wanted: string): Promise<string> =>
  isId(wanted)
    ? wanted
    : (await findOne(weft.webhooks.list({ limit: 200 }), wanted, "webhook", ({ name }) => [name])).id;

/**
 * A secret is read from a file or standard input, because other users of the machine can see the arguments of commands.
 */
async function secretOption(given: Invocation): Promise<string | undefined> {
  const file = given.text("given-secret");
  return file === undefined ? undefined : (await readText(file)).trim();
}

async function authOption(given: Invocation): Promise<Auth | undefined> {
  const text = given.text("auth");
  const secret = await secretOption(given);
  if (text === undefined) {
    if (secret !== undefined)
      throw new UsageError("--given-secret needs --auth. To replace the secret, use weft webhooks rotate");
    return undefined;
  }
  const named =
    text === "microsoft-graph"
      ? { type: "path", preset: text }
      : PLAIN.includes(text)
        ? { type: text }
        : text.startsWith("{")
          ? (parseJson(text, "--auth") as object)
          : { type: "hmac", preset: text };
  // The service checks the rest.
  return { ...named, ...(secret !== undefined && { secret }) } as Auth;
}

function respondOption(text: string | undefined): Respond | undefined {
  if (text === undefined) return undefined;
  const [mode = "", number] = text.split(":");
  if (number !== undefined && !/^\d{1,5}$/.test(number)) throw new UsageError("--respond takes <mode>:<number>");
  const field = mode === "empty" ? "status" : "timeoutMs";
  return { mode: mode.replace("-", "_"), ...(number !== undefined && { [field]: Number(number) }) } as Respond;
}

async function settingsOf(given: Invocation): Promise<Settings> {
  const [name, methods] = [given.text("name"), given.text("methods")];
  const [auth, respond] = [await authOption(given), respondOption(given.text("respond"))];
  const enabled = switchOption(given, "enable", "disable");
  const keepRaw = switchOption(given, "keep-raw", "no-keep-raw");
  return {
    ...(name !== undefined && { name }),
    ...(methods !== undefined && { methods: methods.toUpperCase().split(",") as NonNullable<Settings["methods"]> }),
    ...(auth && { auth }),
    ...(respond && { respond }),
    ...(enabled !== undefined && { enabled }),
    ...(keepRaw !== undefined && { keepRaw }),
  };
}

function show(given: Invocation, webhook: NewWebhook): void {
  if (given.flag("json")) return printResult(jsonText(webhook));
  const { secret, verifyToken, ...shown } = webhook;
  const text = (value: unknown) => withoutControls(typeof value === "string" ? value : JSON.stringify(value ?? ""));
  const once = Object.entries({ secret, verifyToken }).filter(([, value]) => value !== undefined);
  printResult(
    table(
      ["FIELD", "VALUE"],
      [...Object.entries(shown), ...once].map(([name, value]) => [name, text(value)]),
    ),
  );
  if (once.length > 0) printMessage("Store the secret now: Weft does not show it again.");
}

async function list(given: Invocation): Promise<void> {
  const { weft, spaceId } = await inSpace(given);
  const all = await takeUpToLimit(given, weft.webhooks.list());
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, url, enabled, auth, workflowId: workflow, lastTriggeredAt }) => {
    const how = "preset" in auth && auth.preset !== undefined ? auth.preset : auth.type;
    const last = lastTriggeredAt === null ? "" : timeText(lastTriggeredAt);
    return [id, withoutControls(name), url, enabled ? how : "disabled", last, workflow];
  });
  printResult(table(["ID", "NAME", "URL", "AUTH", "LAST", "WORKFLOW"], rows));
  if (all.length === 0) await printOtherSpaces(weft, spaceId, "webhooks", weft.webhooks.list);
}

async function create(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const settings = await settingsOf(given);
  show(given, await weft.webhooks.create({ workflowId: await workflowId(weft, argument(given)), ...settings }));
}

async function set(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const settings = await settingsOf(given);
  if (Object.keys(settings).length === 0) throw new UsageError("There is nothing to set. See weft webhooks set --help");
  show(given, await weft.webhooks.update({ id: await webhookId(weft, argument(given)), ...settings }));
}

async function rotate(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const secret = await secretOption(given);
  const id = await webhookId(weft, argument(given));
  show(given, await weft.webhooks.rotateSecret({ id, ...(secret !== undefined && { secret }) }));
}

async function deliveries(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const { items } = await weft.webhooks.deliveries({ id: await webhookId(weft, argument(given)) });
  if (given.flag("json")) return printResult(jsonText(items));
  const rows = items.map(({ at, address, method, status, executionId, reason }) => {
    return [
      timeText(at),
      address,
      withoutControls(method),
      `${status}`,
      executionId ?? "",
      withoutControls(reason ?? ""),
    ];
  });
  printResult(table(["AT", "ADDRESS", "METHOD", "STATUS", "RUN", "REASON"], rows));
}

async function test(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const text = given.text("input");
  const input = text === undefined ? null : await jsonOption(text, "--input");
  printResult(jsonText(await weft.webhooks.test({ id: await webhookId(weft, argument(given)), input })));
}

async function remove(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const wanted = argument(given);
  if (!isId(wanted)) throw new CommandError("To delete a webhook, name it by its id.");
  await weft.webhooks.remove({ id: wanted });
}

const SECRET: Options = {
  "given-secret": {
    type: "string",
    value: "file",
    help: "a file with the secret that the sender generated; - is standard input",
  },
};

const SETTINGS: Options = {
  name: { type: "string", value: "name", help: "the name of the webhook" },
  auth: {
    type: "string",
    value: "auth",
    help: "how the sender authenticates: header, path, none, a preset such as github, or JSON",
  },
  ...SECRET,
  methods: { type: "string", value: "list", help: "the methods that it accepts, comma-separated" },
  respond: {
    type: "string",
    value: "mode",
    help: "the response to the sender: execution, accepted, empty:<status>, on_respond:<ms> or at_end:<ms>",
  },
  enable: { type: "boolean", help: "accept deliveries" },
  disable: { type: "boolean", help: "respond to deliveries with 404" },
  "keep-raw": { type: "boolean", help: "let expressions read the received body" },
  "no-keep-raw": { type: "boolean", help: "do not keep the received body" },
};

export const WEBHOOKS: Command[] = [
  { name: "webhooks list", summary: "List the webhooks of the space", options: LIST_OPTIONS, run: list },
  {
    name: "webhooks create",
    args: "<workflow>",
    summary: "Create a webhook and show its secret, once",
    options: SETTINGS,
    run: create,
  },
  { name: "webhooks set", args: "<webhook>", summary: "Change a webhook", options: SETTINGS, run: set },
  {
    name: "webhooks rotate",
    args: "<webhook>",
    summary: "Replace the secret of a webhook; the former one is accepted for 24 hours",
    options: SECRET,
    run: rotate,
  },
  { name: "webhooks deliveries", args: "<webhook>", summary: "List the last 100 deliveries", run: deliveries },
  {
    name: "webhooks test",
    args: "<webhook>",
    summary: "Start a run as a delivery would, and show the response to its sender",
    options: { input: { type: "string", short: "i", value: "json", help: "the input: JSON, @file, or -" } },
    run: test,
  },
  { name: "webhooks delete", args: "<id>", summary: "Delete a webhook", run: remove },
];
