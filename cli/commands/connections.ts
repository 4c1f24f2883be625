import type { CredentialTypeName } from "../../core/credentials/types.ts";
import { argument, type Command, type Given, UsageError } from "../command.ts";
import { findOne, inSpace, inWorkspace } from "../connection.ts";
import { jsonOption } from "../read-input.ts";
import { clean, jsonText, say, table } from "../terminal.ts";
import { LIST_OPTIONS, taken } from "./lists.ts";

/** The table of types loads the checks of all fields, which few commands need. */
const loadTypes = () => import("../../core/credentials/types.ts");

async function findCredential(given: Given) {
  const { weft } = await inWorkspace(given);
  const all = weft.credentials.list({ limit: 200 });
  return { weft, found: await findOne(all, argument(given), "credential", one => [one.name]) };
}

async function listCredentials(given: Given): Promise<void> {
  const { weft } = await inWorkspace(given);
  const all = await taken(given, weft.credentials.list());
  if (given.flag("json")) return say(jsonText(all));
  const rows = all.map(({ id, name, type, status, hosts }) => [id, clean(name), type, status, clean(hosts.join(" "))]);
  say(table(["ID", "NAME", "TYPE", "STATUS", "HOSTS"], rows));
}

async function listTypes(given: Given): Promise<void> {
  const { CREDENTIAL_TYPE_NAMES, CREDENTIAL_TYPES, credentialFields } = await loadTypes();
  const fieldsOf = (type: CredentialTypeName) =>
    credentialFields(type).map(({ name, required }) => name + (required ? "" : "?"));
  const types = CREDENTIAL_TYPE_NAMES.map(type => ({
    ...{ type, summary: CREDENTIAL_TYPES[type].summary, fields: fieldsOf(type) },
  }));
  if (given.flag("json")) return say(jsonText(types));
  say(
    table(
      ["TYPE", "", "FIELDS"],
      types.map(({ type, summary, fields }) => [type, summary, fields.join(" ")]),
    ),
  );
}

const DATA = {
  type: "string",
  value: "json",
  help: "the fields of the type; @<file> reads them from a file, so that they are in no history of commands",
} as const;
const HOSTS = { type: "string", value: "hosts", help: "where it may be sent, by commas" } as const;

const hostsOf = (given: Given) =>
  given
    .text("hosts")
    ?.split(",")
    .map(host => host.trim());

async function dataOf(given: Given): Promise<Record<string, unknown> | undefined> {
  const text = given.text("data");
  if (text === undefined) return undefined;
  const data = await jsonOption(text, "--data");
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return { ...data };
  throw new UsageError("--data takes a JSON object");
}

async function typeOf(text: string): Promise<CredentialTypeName> {
  const { CREDENTIAL_TYPE_NAMES } = await loadTypes();
  const type = CREDENTIAL_TYPE_NAMES.find(one => one === text);
  if (type) return type;
  throw new UsageError(`There is no type ${text}. The types: ${CREDENTIAL_TYPE_NAMES.join(", ")}`);
}

async function createCredential(given: Given): Promise<void> {
  const [type, data, hosts] = [await typeOf(argument(given)), await dataOf(given), hostsOf(given)];
  if (!data) throw new UsageError("--data is missing");
  const { weft } = await inWorkspace(given);
  const name = argument(given, 1);
  const made = await weft.credentials.create({ name, type, data, ...(hosts && { hosts }) });
  say(given.flag("json") ? jsonText(made) : made.id);
}

async function updateCredential(given: Given): Promise<void> {
  const [data, hosts, name] = [await dataOf(given), hostsOf(given), given.text("name")];
  const { weft, found } = await findCredential(given);
  const change = { ...(data && { data }), ...(hosts && { hosts }), ...(name !== undefined && { name }) };
  const changed = await weft.credentials.update({ id: found.id, ...change });
  say(given.flag("json") ? jsonText(changed) : clean(`Changed ${changed.name}.`));
}

async function deleteCredential(given: Given): Promise<void> {
  const { weft, found } = await findCredential(given);
  await weft.credentials.remove({ id: found.id, force: given.flag("force") });
  say(given.flag("json") ? jsonText({ id: found.id }) : clean(`Deleted ${found.name}.`));
}

async function testCredential(given: Given): Promise<number> {
  const { weft, found } = await findCredential(given);
  const url = given.text("to");
  const tested = await weft.credentials.test({ id: found.id, ...(url !== undefined && { url }) });
  say(given.flag("json") ? jsonText(tested) : clean(tested.message));
  return tested.ok ? 0 : 1;
}

async function variablesOf(given: Given) {
  const { weft } = await inSpace(given);
  return given.flag("of-space") ? weft.variables.ofSpace : weft.variables;
}

async function listVariables(given: Given): Promise<void> {
  const all = await (await variablesOf(given)).get();
  if (given.flag("json")) return say(jsonText(all));
  const rows = Object.entries(all.values).map(([name, value]) => [name, clean(JSON.stringify(value))]);
  say(table(["NAME", "VALUE"], rows));
}

async function setVariable(given: Given): Promise<void> {
  const value = await jsonOption(argument(given, 1), "the value");
  const all = await (await variablesOf(given)).update({ set: { [argument(given)]: value } });
  say(given.flag("json") ? jsonText(all) : `Set ${argument(given)}.`);
}

async function removeVariable(given: Given): Promise<void> {
  const all = await (await variablesOf(given)).update({ remove: [argument(given)] });
  say(given.flag("json") ? jsonText(all) : `Removed ${argument(given)}.`);
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
    options: { data: DATA, hosts: HOSTS, name: { type: "string", value: "name", help: "another name" } },
    run: updateCredential,
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
    options: { to: { type: "string", value: "address", help: "send a signed GET there" } },
    run: testCredential,
  },
  { name: "variables list", summary: "List the variables of the workspace", options: PLACE, run: listVariables },
  { name: "variables set", args: "<name> <json>", summary: "Set a variable", options: PLACE, run: setVariable },
  { name: "variables remove", args: "<name>", summary: "Remove a variable", options: PLACE, run: removeVariable },
];
