import type { CredentialTypeName } from "./types.ts";

/** A credential with its secret values, for the node that uses it. It is never stored, logged or returned. */
export interface OpenedCredential {
  id: string;
  name: string;
  type: CredentialTypeName;
  hosts: string[];
  data: Record<string, unknown>;
  /** The access token of a type that is exchanged for one, and the name of this token. */
  token?: { id: string; value: string };
}
