import { queryOptions, useMutation } from "@tanstack/react-query";
import type { GroupRole, GroupRoles, LinkedProvider } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { anonymous, enter, OWN_PAGE } from "./session.ts";
import { membersQuery } from "./workspaces.ts";

/** What this tab remembers while the user is on the pages of a provider. */
interface Visit {
  provider: string;
  attempt: string;
  /** Whether the user links the provider to the account instead of signing in. */
  links: boolean;
  /** The page to open afterwards. */
  next: string;
}

const KEY = "weft:provider-visit";

function leave({ url, attempt }: { url: string; attempt: string }, visit: Omit<Visit, "attempt">): Promise<never> {
  sessionStorage.setItem(KEY, JSON.stringify({ ...visit, attempt }));
  location.assign(url);
  // The browser leaves this page. Until then the button stays busy.
  return new Promise(() => undefined);
}

function takeVisit(provider: string): Visit | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const visit = text === null ? undefined : (JSON.parse(text) as Visit);
  return visit?.provider === provider ? visit : undefined;
}

/** The sign-in was not started in this tab, or it has already finished. */
export class NoVisit extends Error {
  override readonly name = "NoVisit";
}

/** Sends the browser to a provider to sign in. `invite` admits new accounts while registration is closed. */
export const useVisitProvider = () =>
  useMutation({
    async mutationFn({ provider, next, invite }: { provider: string; next: string; invite?: string | undefined }) {
      const given = { provider, ...(invite !== undefined && { invite }) };
      return leave(await anonymous.identity.browser.sso.begin(given, OWN_PAGE), { provider, links: false, next });
    },
    meta: { shown: true },
  });

/** Sends the browser to a provider that the user links to the account. */
export const useLinkProvider = () =>
  useMutation({
    mutationFn: async ({ provider, password }: { provider: string; password?: string | undefined }) => {
      const given = { provider, ...(password !== undefined && { password }) };
      return leave(await weft.identity.providers.begin(given), { provider, links: true, next: "/me" });
    },
    meta: { shown: true },
  });

/**
 * Finishes the visit to a provider that sent the browser back, and returns the page to open. Each answer of a provider
 * works once.
 */
export const visitEndQuery = (provider: string) =>
  queryOptions({
    queryKey: ["provider-visit", provider],
    queryFn: async () => {
      const visit = takeVisit(provider);
      if (!visit) throw new NoVisit("No sign-in was begun in this tab");
      const answer = { provider, attempt: visit.attempt, query: location.search.slice(1) };
      if (visit.links) await weft.identity.providers.finish(answer);
      else await enter(anonymous.identity.browser.sso.finish(answer, OWN_PAGE));
      await queryClient.invalidateQueries({ queryKey: ["me"] });
      return visit.next;
    },
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const linkedQuery = queryOptions({
  queryKey: ["me", "providers"],
  queryFn: async ({ signal }): Promise<LinkedProvider[]> =>
    (await weft.identity.providers.list({}, { signal })).items,
});

export const useRemoveProvider = () =>
  useMutation({
    mutationFn: ({ id, password }: { id: string; password?: string | undefined }): Promise<unknown> =>
      weft.identity.providers.remove({ id, ...(password !== undefined && { password }) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
    meta: { shown: true },
  });

/** Which groups of a provider give which role in a workspace. Only admins may read it. */
export const groupRolesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "group-roles"],
    queryFn: ({ signal }): Promise<GroupRoles> => weft.workspaces.sso.read({ workspaceId }, { signal }),
  });

export const useSetGroups = (workspaceId: string) =>
  useMutation({
    mutationFn: (groups: GroupRole[]): Promise<GroupRoles> => weft.workspaces.sso.update({ workspaceId, groups }),
    onSuccess: async data => {
      queryClient.setQueryData(groupRolesQuery(workspaceId).queryKey, data);
      await queryClient.invalidateQueries({ queryKey: membersQuery(workspaceId).queryKey });
    },
    meta: { shown: true },
  });
