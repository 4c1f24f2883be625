import { queryOptions, useMutation } from "@tanstack/react-query";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

export const factorsQuery = queryOptions({
  queryKey: ["me", "factors"],
  queryFn: ({ signal }) => weft.identity.factors.read({}, { signal }),
});

export const eventsQuery = queryOptions({
  queryKey: ["me", "events"],
  queryFn: async ({ signal }) => (await weft.identity.events({ limit: 20 }, { signal })).items,
});

/** Refreshes the factors, and the audit log, which records the change. */
const renew = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  ]);

/** Accounts without a password send none. */
const own = (password: string | undefined) => (password === undefined ? {} : { password });

const shown = { onSuccess: renew, meta: { shown: true } };

export const useProve = () =>
  useMutation({
    mutationFn: (code: string): Promise<unknown> => weft.identity.factors.prove({ code }),
    meta: { shown: true },
  });

export const useBeginTotp = () =>
  useMutation({ mutationFn: (password: string | undefined) => weft.identity.factors.beginTotp(own(password)), meta: { shown: true } });

export const useConfirmTotp = () =>
  useMutation({ mutationFn: (code: string) => weft.identity.factors.confirmTotp({ code }), ...shown });

export const useRemoveTotp = () =>
  useMutation({
    mutationFn: (password: string | undefined): Promise<unknown> => weft.identity.factors.removeTotp(own(password)),
    ...shown,
  });

export const useRenewCodes = () =>
  useMutation({ mutationFn: (password: string | undefined) => weft.identity.factors.renewCodes(own(password)), ...shown });
