import { call } from "../../contracts/call.ts";
import type { Credential, CredentialUse } from "../../contracts/entities/credential.ts";
import { keyOfName } from "../../core/graph/uses.ts";
import { type CredentialDoc, presentCredential } from "./model.ts";

/** How many uses of one credential are listed. */
const MAX_LISTED = 100;

type From = { call: unknown };

/** The uses of these credentials by credential id, deployed ones first. */
export async function usesOf(from: From, docs: readonly CredentialDoc[]): Promise<Map<string, CredentialUse[]>> {
  const [first] = docs;
  if (!first) return new Map();
  // Expressions refer to credentials by name, and only to those with fields.
  const idOf = new Map(docs.map(({ id }) => [id, id]));
  for (const { id, name, type } of docs) if (type === "fields") idOf.set(keyOfName(name), id);
  const { workspaceId } = first;
  const ids = docs.map(({ id }) => id);
  const answers = await Promise.all([
    call(from, "workflows.usingCredentials", { workspaceId, keys: [...idOf.keys()] }),
    call(from, "webhooks.usingCredentials", { workspaceId, ids }),
    call(from, "mcp.usingCredentials", { workspaceId, ids }),
  ]);
  const byId = new Map<string, CredentialUse[]>();
  for (const { key, ...use } of answers.flatMap(({ uses }) => uses)) {
    const id = idOf.get(key);
    if (id === undefined) continue;
    const own = byId.get(id) ?? [];
    const same = own.find(({ id: other }) => other === use.id);
    if (same) same.deployed ||= use.deployed;
    else own.push(use);
    byId.set(id, own);
  }
  for (const own of byId.values()) own.sort((a, b) => Number(b.deployed) - Number(a.deployed));
  return byId;
}

/** The credentials as the API shows them. */
export async function presentWithUses(from: From, docs: readonly CredentialDoc[]): Promise<Credential[]> {
  const uses = await usesOf(from, docs);
  return docs.map(doc => presentCredential(doc, (uses.get(doc.id) ?? []).slice(0, MAX_LISTED)));
}

export async function presentOne(from: From, doc: CredentialDoc): Promise<Credential> {
  const [one] = await presentWithUses(from, [doc]);
  return one!;
}
