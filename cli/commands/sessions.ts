import type { Session } from "../../sdk/index.ts";
import { type Command, type Invocation, UsageError } from "../command.ts";
import { signedIn } from "../connection.ts";
import { jsonText, printResult, table, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

const row = ({ id, kind, current, address, lastUsedAt, userAgent }: Session) => [
  id,
  current ? `${kind}, this one` : kind,
  withoutControls(address ?? ""),
  lastUsedAt,
  withoutControls(userAgent ?? ""),
];

async function list(given: Invocation): Promise<void> {
  const { weft } = await signedIn(given);
  const all = await takeUpToLimit(given, weft.identity.sessions.list());
  if (given.flag("json")) return printResult(jsonText(all));
  printResult(table(["ID", "KIND", "ADDRESS", "USED", "BROWSER"], all.map(row)));
}

async function end(given: Invocation): Promise<void> {
  const [id] = given.args;
  if ((id !== undefined) === given.flag("others")) throw new UsageError("Name a session by its id, or give --others");
  const { weft } = await signedIn(given);
  if (id === undefined) await weft.identity.sessions.removeOthers();
  else await weft.identity.sessions.remove({ id });
  if (given.flag("json")) return printResult(jsonText({ ended: id ?? "others" }));
  printResult(id === undefined ? "All your other sessions have ended." : "The session has ended.");
}

export const SESSIONS: Command[] = [
  { name: "sessions list", summary: "List where you are signed in", options: LIST_OPTIONS, run: list },
  {
    name: "sessions end",
    args: "[<session>]",
    summary: "End one of your sessions, or all others",
    options: { others: { type: "boolean", help: "end all sessions except the one of this command" } },
    run: end,
  },
];
