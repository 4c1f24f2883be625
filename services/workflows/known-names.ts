import { call } from "../../contracts/call.ts";
import { namedCredentials } from "../../core/exchange/credential-references.ts";
import type { KnownNames } from "../../core/graph/strict.ts";

interface Scope {
  workspaceId: string;
  spaceId: string;
}
type From = { call: unknown };

/** The most credentials whose types are read. */
const MAX_READ = 200;

/** The names of the variables of a space; undefined if the definition uses none. */
async function variables(from: From, { workspaceId, spaceId }: Scope, text: string): Promise<KnownNames["vars"]> {
  if (!text.includes("vars")) return undefined;
  const { values } = await call(from, "variables.read", { workspaceId, spaceId });
  return new Set(Object.keys(values));
}

/**
 * The types of the credentials that the steps of a definition refer to; null for those that the space does not have.
 */
async function credentials(
  from: From,
  { workspaceId, spaceId }: Scope,
  definition: unknown,
): Promise<KnownNames["credentials"]> {
  const ids = namedCredentials(definition).slice(0, MAX_READ);
  if (ids.length === 0) return undefined;
  const { credentials: found } = await call(from, "credentials.named", { workspaceId, ids });
  const usable = found.filter(({ spaceIds }) => spaceIds === null || spaceIds.includes(spaceId));
  const types = new Map(usable.map(({ id, type }) => [id, type]));
  return new Map(ids.map(id => [id, types.get(id) ?? null]));
}

/** What the check of a definition knows about its space. Reads only what the definition refers to. */
export async function knownNames(from: From, scope: Scope, definition: unknown): Promise<KnownNames> {
  const text = JSON.stringify(definition ?? null);
  const [vars, types] = await Promise.all([variables(from, scope, text), credentials(from, scope, definition)]);
  return { vars, credentials: types };
}
