import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Profile, Session } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { setUser } from "./session.ts";

export const sessionsQuery = queryOptions({
  queryKey: ["me", "sessions"],
  queryFn: async ({ signal }): Promise<Session[]> => (await weft.identity.sessions.list({ limit: 100 }, { signal })).items,
});

export type ProfileChange = Parameters<typeof weft.identity.updateMe>[0];

export const useUpdateMe = () =>
  useMutation({
    mutationFn: (change: NonNullable<ProfileChange>): Promise<Profile> => weft.identity.updateMe(change),
    onSuccess: profile => setUser(profile),
    meta: { shown: true },
  });

export const useEndSession = () =>
  useMutation({
    mutationFn: (id: string): Promise<unknown> => weft.identity.sessions.remove({ id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });

export const useEndOtherSessions = () =>
  useMutation({
    mutationFn: (): Promise<unknown> => weft.identity.sessions.removeOthers(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
    meta: { shown: true },
  });
