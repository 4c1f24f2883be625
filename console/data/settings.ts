import { queryOptions, useMutation } from "@tanstack/react-query";
import type { ApiKey, Invite, NewApiKey, NewInvite, Workspace } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { membersQuery, workspacesQuery } from "./workspaces.ts";

const MAX = 200;
export type Role = Workspace["role"];

const renew = (queryKey: readonly unknown[]) => queryClient.invalidateQueries({ queryKey });

/** The open invites of a workspace. Only admins may read them. */
export const invitesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "invites"],
    queryFn: async ({ signal }): Promise<Invite[]> =>
      (await weft.workspaces.invites.list({ workspaceId, limit: MAX }, { signal })).items,
  });

/** The API keys of a workspace, without their values. Only admins may read them. */
export const keysQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "keys"],
    queryFn: async ({ signal }): Promise<ApiKey[]> =>
      (await weft.identity.apiKeys.list({ workspaceId, limit: MAX }, { signal })).items,
  });

export const useUpdateWorkspace = (workspaceId: string) =>
  useMutation({
    mutationFn: (change: { name?: string; slug?: string; demandsFactor?: boolean }): Promise<Workspace> =>
      weft.workspaces.update({ workspaceId, ...change }),
    onSuccess: () => renew(workspacesQuery.queryKey),
    meta: { shown: true },
  });

export const useRemoveWorkspace = (workspaceId: string) =>
  useMutation({
    mutationFn: (): Promise<unknown> => weft.workspaces.remove({ workspaceId }),
    onSuccess: () => renew(workspacesQuery.queryKey),
    meta: { shown: true },
  });

export const useChangeRole = (workspaceId: string) =>
  useMutation({
    mutationFn: (change: { userId: string; role: Role }): Promise<unknown> =>
      weft.workspaces.updateMember({ workspaceId, ...change }),
    onSettled: () => renew(membersQuery(workspaceId).queryKey),
  });

export const useRemoveMember = (workspaceId: string) =>
  useMutation({
    mutationFn: (userId: string): Promise<unknown> => weft.workspaces.removeMember({ workspaceId, userId }),
    onSettled: () => renew(membersQuery(workspaceId).queryKey),
    meta: { shown: true },
  });

export const useInvite = (workspaceId: string) =>
  useMutation({
    mutationFn: (given: { email: string; role: Role }): Promise<NewInvite> =>
      weft.workspaces.invites.create({ workspaceId, ...given }),
    onSuccess: () => renew(invitesQuery(workspaceId).queryKey),
    meta: { shown: true },
  });

export const useRevokeInvite = (workspaceId: string) =>
  useMutation({
    mutationFn: (inviteId: string): Promise<unknown> => weft.workspaces.invites.remove({ workspaceId, inviteId }),
    onSettled: () => renew(invitesQuery(workspaceId).queryKey),
  });

export const useMakeKey = (workspaceId: string) =>
  useMutation({
    mutationFn: (given: {
      name: string;
      role: Role;
      expiresAt: string | null;
      scopes: string[];
      addresses: string[];
    }): Promise<NewApiKey> =>
      weft.identity.apiKeys.create({ workspaceId, ...given }),
    onSuccess: () => renew(keysQuery(workspaceId).queryKey),
    meta: { shown: true },
  });

/** Gives a key a new value. The old value stays valid for a day. */
export const useRotateKey = (workspaceId: string) =>
  useMutation({
    mutationFn: (id: string): Promise<NewApiKey> => weft.identity.apiKeys.rotate({ workspaceId, id }),
    onSettled: () => renew(keysQuery(workspaceId).queryKey),
    meta: { shown: true },
  });

export const useRevokeKey = (workspaceId: string) =>
  useMutation({
    mutationFn: (id: string): Promise<unknown> => weft.identity.apiKeys.remove({ workspaceId, id }),
    onSettled: () => renew(keysQuery(workspaceId).queryKey),
    meta: { shown: true },
  });
