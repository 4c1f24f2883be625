import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import type { OperatedUser, OperatedWorkspace, OperatorStatus, Quotas } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { OperatedUser, OperatedWorkspace, OperatorStatus, Quotas } from "../../sdk/definition.ts";
export type QuotaName = keyof Quotas;

type Users = typeof weft.identity.operator.users;
export type OperatedNewUser = Awaited<ReturnType<Users["create"]>>;
export type ResetLink = Awaited<ReturnType<Users["makeResetLink"]>>;

/** A quota of this size or more counts as no quota. */
export const UNLIMITED = 999_999_999_999;
const PAGE = 50;
const EVERY_MS = 10_000;

export const operatorStatusQuery = queryOptions({
  queryKey: ["operator", "status"],
  queryFn: ({ signal }): Promise<OperatorStatus> => weft.identity.operator.status({}, { signal }),
  refetchInterval: EVERY_MS,
});

type State = "ok" | "degraded" | "down";
export interface Readiness {
  status: State;
  dependencies: Partial<Record<"store" | "files" | "nats" | "search", State>> & { services: Record<string, State> };
}

/**
 * What the node that serves this page reports about itself. A node that is not ready answers 503 with the same content.
 */
export const readinessQuery = queryOptions({
  queryKey: ["operator", "readiness"],
  queryFn: async ({ signal }): Promise<Readiness> => {
    const answer = await fetch("/health/ready", { signal, headers: { accept: "application/json" } });
    return (await answer.json()) as Readiness;
  },
  refetchInterval: EVERY_MS,
});

const searched = (search: string) => (search === "" ? {} : { search });

export const operatedUsersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ["operator", "users", search],
    queryFn: async ({ signal, pageParam }) => {
      const at = { ...searched(search), limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) };
      const { items, next } = await weft.identity.operator.users.list(at, { signal });
      return { items: items, next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const operatedWorkspacesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ["operator", "workspaces", search],
    queryFn: async ({ signal, pageParam }) => {
      const at = { ...searched(search), limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) };
      const { items, next } = await weft.workspaces.operator.list(at, { signal });
      return { items: items, next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const quotasQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["operator", "quotas", workspaceId],
    queryFn: ({ signal }): Promise<Quotas> => weft.workspaces.operator.getQuotas({ workspaceId }, { signal }),
  });

const renew = () => queryClient.invalidateQueries({ queryKey: ["operator"] });

export const useCreateUser = () =>
  useMutation({
    mutationFn: (given: { email: string; name?: string }): Promise<OperatedNewUser> =>
      weft.identity.operator.users.create(given),
    onSuccess: renew,
    meta: { shown: true },
  });

export const useMakeResetLink = () =>
  useMutation({
    mutationFn: (userId: string): Promise<ResetLink> => weft.identity.operator.users.makeResetLink({ userId }),
  });

export const useEnableUser = () =>
  useMutation({
    mutationFn: (userId: string): Promise<OperatedUser> =>
      weft.identity.operator.users.update({ userId, disabled: false }),
    onSettled: renew,
  });

const USER_ACTS = {
  disable: (userId: string): Promise<unknown> => weft.identity.operator.users.update({ userId, disabled: true }),
  endSessions: (userId: string): Promise<unknown> => weft.identity.operator.users.endSessions({ userId }),
  removeFactors: (userId: string): Promise<unknown> => weft.identity.operator.users.removeFactors({ userId }),
  remove: (userId: string): Promise<unknown> => weft.identity.operator.users.remove({ userId }),
};

export const useUserAct = () =>
  useMutation({
    mutationFn: ({ act, userId }: { act: keyof typeof USER_ACTS; userId: string }) => USER_ACTS[act](userId),
    onSettled: renew,
    meta: { shown: true },
  });

export const useSetQuotas = (workspaceId: string) =>
  useMutation({
    mutationFn: (quotas: Partial<Record<QuotaName, number | null>>): Promise<Quotas> =>
      weft.workspaces.operator.setQuotas({ workspaceId, quotas }),
    onSuccess: renew,
    meta: { shown: true },
  });

/** Makes another account the owner of a workspace. Returns null if no account has this email address. */
export const useSetOwner = (workspaceId: string) =>
  useMutation({
    mutationFn: async (email: string): Promise<OperatedWorkspace | null> => {
      const search = email.trim().toLowerCase();
      const { items } = await weft.identity.operator.users.list({ search, limit: 1 });
      const [user] = items;
      if (user?.email !== search) return null;
      return weft.workspaces.operator.setOwner({ workspaceId, userId: user.id });
    },
    onSuccess: renew,
    meta: { shown: true },
  });

export const useRemoveOperated = () =>
  useMutation({
    mutationFn: (workspaceId: string): Promise<unknown> => weft.workspaces.operator.remove({ workspaceId }),
    onSettled: renew,
    meta: { shown: true },
  });
