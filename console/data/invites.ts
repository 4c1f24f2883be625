import { queryOptions, useMutation } from "@tanstack/react-query";
import type { InviteOffer, Workspace } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { anonymous } from "./session.ts";
import { workspacesQuery } from "./workspaces.ts";

export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ["invite", token],
    queryFn: ({ signal }): Promise<InviteOffer> => anonymous.workspaces.invites.read({ token }, { signal }),
    staleTime: 60_000,
  });

export const useAcceptInvite = () =>
  useMutation({
    mutationFn: (token: string): Promise<Workspace> => weft.workspaces.invites.accept({ token }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
    meta: { shown: true },
  });

/** Needs only the token, so that a person without an account can decline. */
export const useDeclineInvite = () =>
  useMutation({
    mutationFn: (token: string): Promise<null> => anonymous.workspaces.invites.decline({ token }),
    meta: { shown: true },
  });
