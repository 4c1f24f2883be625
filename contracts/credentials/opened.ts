import type { CredentialTypeName } from "./types.ts";

/** A credential with its secret values, for the node that uses it. It must not be stored, logged or returned. */
export interface OpenedCredential {
  id: string;
  name: string;
  type: CredentialTypeName;
  hosts: string[];
  data: Record<string, unknown>;
  /** For a type that is exchanged for access tokens: the current token and its id. */
  token?: { id: string; value: string };
}
