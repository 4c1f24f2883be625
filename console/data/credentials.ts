import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Credential, CredentialTest, CredentialType } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { Credential, CredentialTest, CredentialType } from "../../sdk/definition.ts";

const MAX = 200;
const keyOf = (workspaceId: string) => ["w", workspaceId, "credentials"] as const;

export const credentialTypesQuery = queryOptions({
  queryKey: ["credential-types"],
  queryFn: async ({ signal }): Promise<CredentialType[]> => (await weft.credentials.types({}, { signal })).types,
  staleTime: Infinity,
});

export const credentialsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: keyOf(workspaceId),
    queryFn: async ({ signal }): Promise<Credential[]> =>
      (await weft.credentials.list({ workspaceId, limit: MAX }, { signal })).items,
    staleTime: 10_000,
  });

const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });

export interface NewCredential {
  name: string;
  type: string;
  hosts?: string[];
  data: Record<string, unknown>;
}

export async function createCredential(workspaceId: string, given: NewCredential): Promise<Credential> {
  const made = await weft.credentials.create({ workspaceId, ...given } as never);
  await renew(workspaceId);
  return made;
}

export async function replaceCredential(
  workspaceId: string,
  id: string,
  change: Partial<NewCredential>,
): Promise<Credential> {
  const changed = await weft.credentials.update({ workspaceId, id, ...change } as never);
  await renew(workspaceId);
  return changed;
}

/** The address at which a person allows the use of a credential. */
export const authorizeAddress = async (workspaceId: string, id: string): Promise<string> =>
  (await weft.credentials.authorize({ workspaceId, id })).authorizeUrl;

export const testCredential = (workspaceId: string, id: string, url: string): Promise<CredentialTest> =>
  Promise.resolve(weft.credentials.test({ workspaceId, id, ...(url !== "" && { url }) }));

/** What uses a credential at the moment: deployed workflows, webhooks and tool servers. */
export async function usesNow(workspaceId: string, id: string): Promise<Credential["usedBy"]> {
  return (await weft.credentials.get({ workspaceId, id })).usedBy.filter(({ deployed }) => deployed);
}

/**
 * @throws {WeftError} credential_in_use if something uses it and `force` is not set
 */
export async function removeCredential(workspaceId: string, id: string, force: boolean): Promise<void> {
  await weft.credentials.remove({ workspaceId, id, force });
  await renew(workspaceId);
}

const LOOK_MS = 1_500;
const PATIENCE_MS = 600_000;

/**
 * Waits, for up to ten minutes, until the user has authorized a credential in another window or failed to. Request the
 * authorization address before: that request clears the failure of an earlier attempt.
 */
export async function untilAuthorized(
  workspaceId: string,
  id: string,
  signal: AbortSignal,
): Promise<Credential> {
  const began = Date.now();
  for (;;) {
    const now: Credential = await weft.credentials.get({ workspaceId, id }, { signal });
    const isOver = now.status === "ready" || now.lastError !== null || Date.now() - began > PATIENCE_MS;
    if (isOver || signal.aborted) {
      await renew(workspaceId);
      return now;
    }
    await new Promise(done => setTimeout(done, LOOK_MS));
  }
}

/** The credentials of a workspace whose type can sign calls. */
export function useSigningCredentials(workspaceId: string) {
  const { data: types = [] } = useQuery(credentialTypesQuery);
  const { data: all = [] } = useQuery(credentialsQuery(workspaceId));
  return all.filter(({ type }) => types.some(one => one.type === type && one.use === "calls"));
}
