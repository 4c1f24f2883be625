import { isObject } from "../json.ts";

/** The key under which a workflow file names a credential, in place of its id. */
const MARK = "$credential";

/** A credential that a file wants. Files of other products may not say the type: then it is any that signs calls. */
export interface WantedCredential {
  name: string;
  type?: string;
}

/** In a definition, a credential that has to be chosen. */
export const credentialMark = (wanted: WantedCredential): object => ({ [MARK]: wanted });

/** The credential that a mark wants; undefined for anything else than a mark. */
export function wantedBy(credential: unknown): WantedCredential | undefined {
  const named = isObject(credential) ? credential[MARK] : undefined;
  if (!isObject(named) || typeof named.name !== "string") return undefined;
  return { name: named.name, ...(typeof named.type === "string" && { type: named.type }) };
}

/** The wanted credential, for people. */
export const shownCredential = ({ name, type }: WantedCredential): string =>
  `"${name}" of ${type === undefined ? "a type that signs calls" : `the type ${type}`}`;
