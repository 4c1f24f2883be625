import type { z } from "zod";

/**
 * A type of credential: the one definition of its fields, from which the checks of requests, the OpenAPI document, the
 * tables of the documentation and the forms of the command line follow.
 */
export interface CredentialType<D extends z.ZodType = z.ZodType> {
  /** What it is, for people. */
  summary: string;
  /** The fields of `data`. The format `password` marks those that are secret by themselves. */
  data: D;
  /**
   * Where the hosts come from. `given`: the request names them. `none`: the credential is never sent. `own`: from the
   * addresses in the data, unless the request names more.
   */
  hosts: "given" | "none" | "own";
  /** The hosts that the data itself names. */
  ownHosts?(this: void, data: z.output<D>): string[];
  /** What uses it: `http` steps sign calls with it, other steps connect with it, or it is a key for other places. */
  use: "calls" | "connections" | "expressions" | "webhooks";
  /** It is exchanged for access tokens, which are renewed. */
  tokens?: "client" | "code" | "assertion";
}

/** Lets the compiler know the data of each type. */
export const type = <D extends z.ZodType>(one: CredentialType<D>): CredentialType<D> => one;
