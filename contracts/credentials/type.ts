import type { z } from "zod";

/**
 * A type of credential. This is the only definition of its fields. The checks of requests, the OpenAPI document, the
 * tables of the documentation and the forms of the command line are derived from it.
 */
export interface CredentialType<D extends z.ZodType = z.ZodType> {
  /** A short description for people. */
  summary: string;
  /** The fields of `data`. The format `password` marks those that are secret by themselves. */
  data: D;
  /**
   * The origin of the hosts. `given`: the request lists them. `none`: the credential is never sent. `own`: they come
   * from addresses in the data, unless the request lists more.
   */
  hosts: "given" | "none" | "own";
  /** The hosts that the data itself contains. */
  ownHosts?(this: void, data: z.output<D>): string[];
  /**
   * The use of the type: `http` steps sign calls with it, other steps connect with it, or it is a key for other
   * purposes.
   */
  use: "calls" | "connections" | "expressions" | "webhooks";
  /** Set if it is exchanged for access tokens, which are renewed. */
  tokens?: "client" | "code" | "assertion";
}

/** Lets the compiler infer the data of each type. */
export const type = <D extends z.ZodType>(one: CredentialType<D>): CredentialType<D> => one;
