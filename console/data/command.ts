import { useMutation } from "@tanstack/react-query";
import type { CommandCode } from "../../sdk/definition.ts";
import { anonymous, OWN_PAGE } from "./session.ts";

/** A code by which the command that made the challenge signs in as the person of this browser. */
export const useCommandCode = () =>
  useMutation({
    mutationFn: (challenge: string): Promise<CommandCode> =>
      anonymous.identity.browser.commandCode({ challenge }, OWN_PAGE),
    meta: { shown: true },
  });
