import type { OperatedUser } from "../../sdk/definition.ts";
import { argument, CommandError, type Invocation, type Options, UsageError } from "../command.ts";
import { signedIn } from "../connection.ts";
import { jsonText, printResult, table, timeText, withoutControls } from "../terminal.ts";
import type { Weft } from "../../sdk/index.ts";

// Account administration by operators through the API of a running Weft, which may be on another machine.

export const API_OPTION: Options = {
  api: { type: "boolean", help: "use the API of a running Weft, as an operator who is signed in" },
};

/**
 * The account with this address.
 * @throws {CommandError} when there is no such account
 */
export async function userByAddress(weft: Weft, address: string): Promise<OperatedUser> {
  const email = address.trim().toLowerCase();
  const { items } = await weft.identity.operator.users.list({ search: email, limit: 1 });
  const [user] = items;
  if (user?.email !== email) throw new CommandError(`There is no account with the address ${JSON.stringify(address)}.`);
  return user;
}

const ofArgument = async (given: Invocation) => {
  const { weft } = await signedIn(given);
  return { users: weft.identity.operator.users, user: await userByAddress(weft, argument(given)) };
};

type Shown = Pick<OperatedUser, "id" | "email" | "name" | "createdAt" | "disabledAt">;

/** Prints accounts as a table or as JSON. */
export function printUsers(given: Invocation, users: readonly Shown[]): void {
  if (given.flag("json")) return printResult(jsonText(users));
  const cells = users.map(user => [
    withoutControls(user.email),
    withoutControls(user.name ?? ""),
    timeText(user.createdAt),
    user.disabledAt ? `disabled ${timeText(user.disabledAt)}` : "",
    user.id,
  ]);
  printResult(table(["E-MAIL", "NAME", "REGISTERED", "", "ID"], cells));
}

/** Prints the link with which a person sets a new password. */
export function printLink(given: Invocation, link: string, expiresAt: string): void {
  if (given.flag("json")) return printResult(jsonText({ link, expiresAt }));
  printResult(`This link sets a new password. It works once, until ${timeText(expiresAt)}:`);
  printResult(link);
}

/** Prints the result of a change of an account. */
export const printChange = (given: Invocation, account: { id: string; email: string }, text: string): void =>
  printResult(given.flag("json") ? jsonText({ id: account.id, email: account.email }) : withoutControls(text));

export async function list(given: Invocation): Promise<void> {
  const { weft } = await signedIn(given);
  const search = given.text("search");
  const all = [];
  for await (const user of weft.identity.operator.users.list({ ...(search && { search }), limit: 200 })) all.push(user);
  printUsers(given, all);
}

/** Passwords may be typed only on the machine of Weft. */
function noPassword(given: Invocation): void {
  if (given.flag("ask")) throw new UsageError("--ask and --api do not go together");
}

export async function create(given: Invocation): Promise<void> {
  noPassword(given);
  const { weft } = await signedIn(given);
  const name = given.text("name");
  const made = await weft.identity.operator.users.create({
    email: argument(given),
    ...(name !== undefined && { name }),
  });
  printLink(given, made.link, made.linkExpiresAt);
}

export async function resetPassword(given: Invocation): Promise<void> {
  noPassword(given);
  const { users, user } = await ofArgument(given);
  const { link, expiresAt } = await users.makeResetLink({ userId: user.id });
  printLink(given, link, expiresAt);
}

export async function removeFactors(given: Invocation): Promise<void> {
  const { users, user } = await ofArgument(given);
  await users.removeFactors({ userId: user.id });
  printChange(given, user, `${user.email} signs in by password alone.`);
}

export async function endSessions(given: Invocation): Promise<void> {
  const { users, user } = await ofArgument(given);
  await users.endSessions({ userId: user.id });
  printChange(given, user, `All sessions of ${user.email} have ended.`);
}

export async function setDisabled(given: Invocation, disabled: boolean): Promise<void> {
  const { users, user } = await ofArgument(given);
  await users.update({ userId: user.id, disabled });
  printChange(given, user, disabledText(user.email, disabled));
}

export const disabledText = (email: string, disabled: boolean): string =>
  disabled ? `${email} is disabled, and all sessions have ended.` : `${email} is enabled.`;

export async function remove(given: Invocation): Promise<void> {
  const { users, user } = await ofArgument(given);
  await users.remove({ userId: user.id });
  printChange(given, user, `${user.email} is deleted.`);
}
