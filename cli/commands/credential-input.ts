import type { CredentialField, CredentialTypeName } from "../../core/credentials/types.ts";
import { CommandError, type Invocation, UsageError } from "../command.ts";
import { ask, askSecret, parseJson, readText } from "../read-input.ts";

/** The table of types loads the checks of all fields, which only few commands need. */
export const loadTypes = () => import("../../core/credentials/types.ts");

export const DATA = {
  type: "string",
  value: "file",
  help: "the fields of the type as JSON: @<file>, or - for standard input; by default, weft prompts for them",
} as const;
export const HOSTS = {
  type: "string",
  value: "hosts",
  help: "the hosts that it may be sent to, comma-separated",
} as const;

const listOf = (hosts: string) => hosts.split(",").map(host => host.trim());

export function hostsOf(given: Invocation): string[] | undefined {
  const hosts = given.text("hosts");
  return hosts === undefined ? undefined : listOf(hosts);
}

export async function typeOf(text: string): Promise<CredentialTypeName> {
  const { CREDENTIAL_TYPE_NAMES } = await loadTypes();
  const type = CREDENTIAL_TYPE_NAMES.find(one => one === text);
  if (type) return type;
  throw new UsageError(`There is no type ${text}. The types: ${CREDENTIAL_TYPE_NAMES.join(", ")}`);
}

/**
 * The data from a file or from standard input; undefined without the option. Arguments are visible to other users, so
 * they must not contain data.
 */
export async function dataOf(given: Invocation): Promise<Record<string, unknown> | undefined> {
  const text = given.text("data");
  if (text === undefined) return undefined;
  if (text !== "-" && !text.startsWith("@"))
    throw new UsageError("--data takes @<file>, or - for standard input: other users can read command lines");
  const data = parseJson(await readText(text === "-" ? text : text.slice(1)), "--data");
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return { ...data };
  throw new UsageError("--data takes a JSON object");
}

/** The value that a user typed for a field: text, or JSON if the field is not a text. */
const valueOf = ({ name, type = "string" }: CredentialField, text: string): unknown =>
  type === "string" ? text : parseJson(text, name);

async function askField(field: CredentialField): Promise<unknown> {
  const { name, required, secret, enum: choices } = field;
  const note = [...(choices ? [choices.join(", ")] : []), ...(required ? [] : ["optional"])].join("; ");
  const question = `${name}${note && ` (${note})`}: `;
  // A key has several lines, which cannot be typed at a prompt for one line.
  if (name === "privateKey") return readText(await ask("File with the private key: ", "--data"));
  const text = secret ? await askSecret(question) : await ask(question, "--data");
  if (text !== "") return valueOf(field, text);
  if (required) throw new CommandError(`${name} is missing. Nothing was created.`);
  return undefined;
}

/** Asks for the fields of a type. Secret input is hidden. */
export async function askData(type: CredentialTypeName): Promise<Record<string, unknown>> {
  if (!process.stdin.isTTY) throw new UsageError("--data is missing: @<file>, or - for standard input");
  const { credentialFields } = await loadTypes();
  const data: Record<string, unknown> = {};
  if (type === "fields") {
    for (;;) {
      const name = await ask("Name of a field (empty to end): ", "--data");
      if (name === "") return data;
      data[name] = await askSecret(`${name}: `);
    }
  }
  for (const field of credentialFields(type)) {
    const value = await askField(field);
    if (value !== undefined) data[field.name] = value;
  }
  return data;
}

/** Asks for the hosts of a type that needs them. */
export async function askHosts(type: CredentialTypeName): Promise<string[] | undefined> {
  const { CREDENTIAL_TYPES } = await loadTypes();
  if (CREDENTIAL_TYPES[type].hosts !== "given" || !process.stdin.isTTY) return undefined;
  return listOf(await ask("Hosts that it may be sent to, comma-separated: ", "--hosts"));
}
