import { isObject } from "../json.ts";

/** The key of a placeholder: it names a credential in a workflow file, in place of an id. */
const MARK = "$credential";

/**
 * A credential that a file needs. Files of other products may not state the type. Then any type that signs calls fits.
 */
export interface WantedCredential {
  name: string;
  type?: string;
}

/** A placeholder in a definition: a person has to choose the credential. */
export const credentialMark = (wanted: WantedCredential): object => ({ [MARK]: wanted });

/** The credential that a placeholder needs; undefined for any other value. */
export function wantedBy(credential: unknown): WantedCredential | undefined {
  const named = isObject(credential) ? credential[MARK] : undefined;
  if (!isObject(named) || typeof named.name !== "string") return undefined;
  return { name: named.name, ...(typeof named.type === "string" && { type: named.type }) };
}

/** Describes a needed credential to people. */
export const shownCredential = ({ name, type }: WantedCredential): string =>
  `"${name}" of ${type === undefined ? "a type that signs calls" : `the type ${type}`}`;
