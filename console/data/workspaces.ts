import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Installation, Member, Workspace } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { anonymous } from "./session.ts";

const MAX = 200;

export const installationQuery = queryOptions({
  queryKey: ["installation"],
  queryFn: ({ signal }): Promise<Installation> => anonymous.identity.installation({}, { signal }),
  staleTime: 5 * 60_000,
});

/** Whether the installation has no account yet. Then the first visitor signs up. */
export const isNew = (): Promise<boolean> =>
  queryClient.ensureQueryData(installationQuery).then(
    ({ registration, ssoOnly }) => registration === "first" && !ssoOnly,
    () => false,
  );

export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: async ({ signal }): Promise<Workspace[]> => (await weft.workspaces.list({ limit: MAX }, { signal })).items,
  staleTime: 60_000,
});

/** Finds the workspace of an address by its slug or id. */
export const findWorkspace = (all: readonly Workspace[], w: string): Workspace | undefined =>
  all.find(({ slug, id }) => slug === w || id === w);

/** Reads the workspace of an address before the page itself does. Undefined where the person has no such workspace. */
export const readWorkspace = async (w: string): Promise<Workspace | undefined> =>
  findWorkspace(await queryClient.ensureQueryData(workspacesQuery), w);

export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "members"],
    queryFn: async ({ signal }): Promise<Member[]> =>
      (await weft.workspaces.members({ workspaceId, limit: MAX }, { signal })).items,
    staleTime: 60_000,
  });

const LAST = "weft:last-workspace";

/** The workspace that was last open. The path `/` leads to it. */
export const lastWorkspace = (): string | null => localStorage.getItem(LAST);
export const rememberWorkspace = (slug: string): void => localStorage.setItem(LAST, slug);

/** Names of members by user id. */
export function useMemberNames(workspaceId: string): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...membersQuery(workspaceId),
    select: members => new Map(members.map(({ userId, name, email }) => [userId, name ?? email ?? ""])),
  });
  return data ?? NOBODY;
}

const NOBODY: ReadonlyMap<string, string> = new Map();

export async function createWorkspace(name: string): Promise<Workspace> {
  const created = await weft.workspaces.create({ name });
  await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
  return created;
}

/** The first page after sign-in: the workspace that was last open, or else the first one. */
export async function homeOf(): Promise<string | undefined> {
  const all = await queryClient.ensureQueryData(workspacesQuery);
  return (findWorkspace(all, lastWorkspace() ?? "") ?? all[0])?.slug;
}
