import type { CredentialTypeName } from "../../core/credentials/types.ts";
import { argument, type Command, CommandError, type Invocation } from "../command.ts";
import { findOne, inSpace, inWorkspace, serviceUrl } from "../connection.ts";
import { jsonOption } from "../read-input.ts";
import { jsonText, printResult, table, withoutControls } from "../terminal.ts";
import { authorize } from "./authorize.ts";
import { askData, askHosts, DATA, dataOf, HOSTS, hostsOf, loadTypes, typeOf } from "./credential-input.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

async function findCredential(given: Invocation) {
  const { weft } = await inWorkspace(given);
  const all = weft.credentials.list({ limit: 200 });
  return { weft, found: await findOne(all, argument(given), "credential", one => [one.name]) };
}

async function listCredentials(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const all = await takeUpToLimit(given, weft.credentials.list());
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, type, status, hosts }) => [
    id,
    withoutControls(name),
    type,
    status,
    withoutControls(hosts.join(" ")),
  ]);
  printResult(table(["ID", "NAME", "TYPE", "STATUS", "HOSTS"], rows));
}

async function listTypes(given: Invocation): Promise<void> {
  const { CREDENTIAL_TYPE_NAMES, CREDENTIAL_TYPES, credentialFields } = await loadTypes();
  const fieldsOf = (type: CredentialTypeName) =>
    credentialFields(type).map(({ name, required }) => name + (required ? "" : "?"));
  const types = CREDENTIAL_TYPE_NAMES.map(type => ({
    ...{ type, summary: CREDENTIAL_TYPES[type].summary, fields: fieldsOf(type) },
  }));
  if (given.flag("json")) return printResult(jsonText(types));
  printResult(
    table(
      ["TYPE", "", "FIELDS"],
      types.map(({ type, summary, fields }) => [type, summary, fields.join(" ")]),
    ),
  );
}

async function createCredential(given: Invocation): Promise<void> {
  const type = await typeOf(argument(given));
  const data = (await dataOf(given)) ?? (await askData(type));
  const hosts = hostsOf(given) ?? (await askHosts(type));
  const { weft } = await inWorkspace(given);
  const name = argument(given, 1);
  const made = await weft.credentials.create({ name, type, data, ...(hosts && { hosts }) });
  printResult(given.flag("json") ? jsonText(made) : made.id);
}

async function updateCredential(given: Invocation): Promise<void> {
  const [fromFile, hosts, name] = [await dataOf(given), hostsOf(given), given.text("name")];
  const { weft, found } = await findCredential(given);
  const data = fromFile ?? (given.flag("ask") ? await askData(found.type) : undefined);
  const change = { ...(data && { data }), ...(hosts && { hosts }), ...(name !== undefined && { name }) };
  const changed = await weft.credentials.update({ id: found.id, ...change });
  printResult(given.flag("json") ? jsonText(changed) : withoutControls(`Changed ${changed.name}.`));
}

async function showCredential(given: Invocation): Promise<void> {
  const { found } = await findCredential(given);
  if (given.flag("json")) return printResult(jsonText(found));
  const { usedBy, ...shown } = found;
  const rows = Object.entries(shown).map(([name, value]) => [
    name,
    withoutControls(Array.isArray(value) ? value.join(" ") : (value ?? "")),
  ]);
  const uses = usedBy.map(({ kind, name, deployed }) => [
    `used by ${kind}`,
    withoutControls(name) + (deployed ? "" : " (draft)"),
  ]);
  printResult(table(["FIELD", "VALUE"], [...rows, ...uses]));
}

async function authorizeCredential(given: Invocation): Promise<number | void> {
  const { weft, found } = await findCredential(given);
  return authorize(given, weft, await serviceUrl(given), found);
}

async function deleteCredential(given: Invocation): Promise<void> {
  const { weft, found } = await findCredential(given);
  await weft.credentials.remove({ id: found.id, force: given.flag("force") });
  printResult(given.flag("json") ? jsonText({ id: found.id }) : withoutControls(`Deleted ${found.name}.`));
}

async function testCredential(given: Invocation): Promise<number> {
  const { weft, found } = await findCredential(given);
  const url = given.text("to");
  const tested = await weft.credentials.test({ id: found.id, ...(url !== undefined && { url }) });
  printResult(given.flag("json") ? jsonText(tested) : withoutControls(tested.message));
  return tested.ok ? 0 : 1;
}

async function variablesOf(given: Invocation) {
  const { weft } = await inSpace(given);
  return given.flag("of-space") ? weft.variables.ofSpace : weft.variables;
}

async function listVariables(given: Invocation): Promise<void> {
  const all = await (await variablesOf(given)).get();
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = Object.entries(all.values).map(([name, value]) => [name, withoutControls(JSON.stringify(value))]);
  printResult(table(["NAME", "VALUE"], rows));
}

async function getVariable(given: Invocation): Promise<void> {
  const { values } = await (await variablesOf(given)).get();
  const name = argument(given);
  if (!Object.hasOwn(values, name)) throw new CommandError(`There is no variable ${JSON.stringify(name)}.`);
  printResult(jsonText(values[name]));
}

async function setVariable(given: Invocation): Promise<void> {
  const value = await jsonOption(argument(given, 1), "the value");
  const all = await (await variablesOf(given)).update({ set: { [argument(given)]: value } });
  printResult(given.flag("json") ? jsonText(all) : `Set ${argument(given)}.`);
}

async function removeVariable(given: Invocation): Promise<void> {
  const all = await (await variablesOf(given)).update({ remove: [argument(given)] });
  printResult(given.flag("json") ? jsonText(all) : `Removed ${argument(given)}.`);
}

const PLACE = {
  "of-space": { type: "boolean", help: "the variables of the space instead of the workspace" },
} as const;

export const CONNECTIONS: Command[] = [
  {
    name: "credentials list",
    summary: "List the credentials of the workspace",
    options: LIST_OPTIONS,
    run: listCredentials,
  },
  { name: "credentials types", summary: "List the types of credentials with their fields", run: listTypes },
  {
    name: "credentials create",
    args: "<type> <name>",
    summary: "Create a credential",
    options: { data: DATA, hosts: HOSTS },
    run: createCredential,
  },
  {
    name: "credentials update",
    args: "<credential>",
    summary: "Change a credential",
    options: {
      data: DATA,
      ask: { type: "boolean", help: "ask for new values" },
      hosts: HOSTS,
      name: { type: "string", value: "name", help: "a new name" },
    },
    run: updateCredential,
  },
  {
    name: "credentials show",
    args: "<credential>",
    summary: "Show a credential and what uses it, without its values",
    run: showCredential,
  },
  {
    name: "credentials authorize",
    args: "<credential>",
    summary: "Show the page on which a person authorizes a credential, and wait for it",
    options: {
      open: { type: "boolean", help: "open the page in a browser" },
      "no-wait": { type: "boolean", help: "do not wait" },
    },
    run: authorizeCredential,
  },
  {
    name: "credentials delete",
    args: "<credential>",
    summary: "Delete a credential",
    options: { force: { type: "boolean", help: "delete it even if a deployed workflow uses it" } },
    run: deleteCredential,
  },
  {
    name: "credentials test",
    args: "<credential>",
    summary: "Try a credential; the exit code is 1 if it does not work",
    options: { to: { type: "string", value: "address", help: "also send an authenticated GET to this address" } },
    run: testCredential,
  },
  { name: "variables list", summary: "List the variables of the workspace", options: PLACE, run: listVariables },
  {
    name: "variables get",
    args: "<name>",
    summary: "Print the value of a variable as JSON",
    options: PLACE,
    run: getVariable,
  },
  { name: "variables set", args: "<name> <json>", summary: "Set a variable", options: PLACE, run: setVariable },
  { name: "variables remove", args: "<name>", summary: "Remove a variable", options: PLACE, run: removeVariable },
];
