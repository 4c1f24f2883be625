import { queryOptions, useMutation } from "@tanstack/react-query";
import { anonymous } from "./session.ts";

/** The account whose password the token of a reset link changes. */
export const resetQuery = (token: string) =>
  queryOptions({
    queryKey: ["password-reset", token],
    queryFn: ({ signal }) => anonymous.identity.password.readReset({ token }, { signal }),
    retry: false,
  });

export const useConfirmAddress = () =>
  useMutation({
    mutationFn: (token: string) => anonymous.identity.email.confirm({ token }),
    meta: { shown: true },
  });

export const useForgotPassword = () =>
  useMutation({
    mutationFn: (email: string): Promise<unknown> => anonymous.identity.password.forgot({ email }),
    meta: { shown: true },
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (change: { token: string; password: string }): Promise<unknown> =>
      anonymous.identity.password.reset(change),
    meta: { shown: true },
  });
