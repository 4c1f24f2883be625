import type { Command, Invocation } from "../command.ts";

/** The part of the help about the two ways. */
export const LOCAL_OR_API_NOTES = [
  "The command uses the store that the environment names (DATA_DIR, MONGODB_URI). Weft may be running.",
  "With --api, it uses the API of a running Weft instead, for operators who are signed in.",
];

/** A command for operators. It works on this machine, or with --api through the API. */
export const localOrApi =
  (here: (given: Invocation) => Promise<void>, there: (given: Invocation) => Promise<void>): Command["run"] =>
  given =>
    given.flag("api") ? there(given) : here(given);
