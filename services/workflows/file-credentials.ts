import { call } from "../../contracts/call.ts";
import type { ImportWarning } from "../../contracts/entities/workflow-document.ts";
import {
  bindCredentials,
  namedCredentials,
  wantedCredentials,
  withCredentialNames,
} from "../../core/exchange/credential-references.ts";

type From = { call: unknown };

const MAX_NAMED = 200;

/** A definition for a file. It contains names of credentials instead of their ids. */
export async function withCredentialNamesFor(from: From, workspaceId: string, definition: unknown): Promise<unknown> {
  const ids = namedCredentials(definition).slice(0, MAX_NAMED);
  if (ids.length === 0) return definition;
  const { credentials } = await call(from, "credentials.named", { workspaceId, ids });
  return withCredentialNames(definition, new Map(credentials.map(one => [one.id, one])));
}

/** The definition of a file, with credential names replaced by the ids of credentials in the workspace. */
export async function withCredentialIdsIn(
  from: From,
  workspaceId: string,
  definition: unknown,
): Promise<{ definition: unknown; warnings: ImportWarning[] }> {
  const names = [...new Set(wantedCredentials(definition).map(({ name }) => name))].slice(0, MAX_NAMED);
  if (names.length === 0) return { definition, warnings: [] };
  const { credentials } = await call(from, "credentials.named", { workspaceId, names });
  return bindCredentials(definition, credentials);
}
