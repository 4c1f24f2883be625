import { z } from "zod";
import { handle } from "../../contracts/call.ts";
import { CREDENTIAL_TYPE_NAMES, CREDENTIAL_TYPES } from "../../contracts/credentials/types.ts";
import type { CredentialTypeDescription } from "../../contracts/entities/credential.ts";

let described: CredentialTypeDescription[] | undefined;

const describe = (): CredentialTypeDescription[] =>
  CREDENTIAL_TYPE_NAMES.map(type => {
    const { summary, hosts, use, tokens, data } = CREDENTIAL_TYPES[type];
    const dataSchema = z.toJSONSchema(data, { io: "input", unrepresentable: "any" });
    return { type, summary, hosts, use, tokens: tokens ?? null, dataSchema };
  });

/** The types do not change while the service runs. */
export const types = handle("credentials.types", () => Promise.resolve({ types: (described ??= describe()) }));
