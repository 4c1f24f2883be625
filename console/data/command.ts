import { useMutation } from "@tanstack/react-query";
import type { CommandCode } from "../../sdk/definition.ts";
import { anonymous, OWN_PAGE } from "./session.ts";

/**
 * Creates a code that signs in the command line as the user of this browser. The code fits the challenge of that
 * command.
 */
export const useCommandCode = () =>
  useMutation({
    mutationFn: (challenge: string): Promise<CommandCode> =>
      anonymous.identity.browser.commandCode({ challenge }, OWN_PAGE),
    meta: { shown: true },
  });
