import { z } from "zod";
import { CALL_TYPES } from "./call-types.ts";
import { CONNECTION_TYPES } from "./connection-types.ts";
import { fields, hidden, secretText } from "./fields.ts";
import { type CredentialType, type } from "./type.ts";

const TYPES = {
  ...CALL_TYPES,
  hmac: type({
    summary: "A key for signatures of webhooks and of calls that end a wait",
    data: z.strictObject({ key: hidden(secretText, "The key.") }),
    hosts: "none",
    use: "webhooks",
  }),
  fields: type({ summary: "Named secret values for expressions", data: fields, hosts: "given", use: "expressions" }),
  ...CONNECTION_TYPES,
};

export type CredentialTypeName = keyof typeof TYPES;
/** The data of a type, checked and with its defaults. */
export type CredentialData<N extends CredentialTypeName> = z.output<(typeof TYPES)[N]["data"]>;

export const CREDENTIAL_TYPES = TYPES as unknown as { readonly [N in CredentialTypeName]: CredentialType };
export const CREDENTIAL_TYPE_NAMES = Object.keys(TYPES) as [CredentialTypeName, ...CredentialTypeName[]];

interface FieldSchema {
  type?: string;
  format?: string;
  title?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
}

/** A field of a type, for documents and forms. */
export interface CredentialField extends FieldSchema {
  name: string;
  required: boolean;
  secret: boolean;
}

/** The fields of a type. Empty for `fields`, whose names users choose. */
export function credentialFields(type: CredentialTypeName): CredentialField[] {
  const schema = z.toJSONSchema(CREDENTIAL_TYPES[type].data, { io: "input", unrepresentable: "any" });
  const required = new Set(schema.required);
  return Object.entries((schema.properties ?? {}) as Record<string, FieldSchema>).map(([name, field]) => ({
    ...field,
    name,
    required: required.has(name),
    secret: field.format === "password",
  }));
}

/** The secret values of a credential's data. They must not appear in any output. */
export function secretValues(type: CredentialTypeName, data: Readonly<Record<string, unknown>>): string[] {
  const names = type === "fields" ? Object.keys(data) : secretNames(type);
  return names.map(name => data[name]).filter(value => typeof value === "string" && value !== "") as string[];
}

const known = new Map<CredentialTypeName, string[]>();

function secretNames(type: CredentialTypeName): string[] {
  let names = known.get(type);
  if (!names) known.set(type, (names = credentialFields(type).flatMap(({ name, secret }) => (secret ? [name] : []))));
  return names;
}
