import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import type { Notification } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

const PAGE = 50;
/** The stream of a workspace reports its own notifications. Invites and other workspaces are polled. */
const LOOK_MS = 60_000;
const KEY = ["me", "notifications"] as const;

export const notificationsQuery = infiniteQueryOptions({
  queryKey: [...KEY, "list"],
  queryFn: ({ signal, pageParam }) => {
    const cursor = pageParam === null ? {} : { cursor: pageParam };
    return Promise.resolve(weft.notifications.list({ limit: PAGE, ...cursor }, { signal }));
  },
  initialPageParam: null as string | null,
  getNextPageParam: page => page.next,
  refetchInterval: LOOK_MS,
});

/** The highest number that the bell shows. */
export const MAX_COUNTED = 99;

/** How many notifications are unread. The count stops at `MAX_COUNTED` plus one. */
export const unreadQuery = queryOptions({
  queryKey: [...KEY, "unread"],
  queryFn: async ({ signal }): Promise<number> =>
    (await weft.notifications.list({ unread: true, limit: MAX_COUNTED + 1 }, { signal })).items.length,
  refetchInterval: LOOK_MS,
});

const renew = () => queryClient.invalidateQueries({ queryKey: KEY });

export const useReadAll = () =>
  useMutation({ mutationFn: (): Promise<unknown> => weft.notifications.readAll(), onSettled: renew });

export const useRead = () =>
  useMutation({
    mutationFn: (notifications: readonly Notification[]): Promise<unknown> =>
      Promise.all(notifications.map(({ id }) => weft.notifications.read({ id }))),
    onSettled: renew,
  });
