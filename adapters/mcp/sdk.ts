import type * as Official from "@modelcontextprotocol/client";

export type Sdk = typeof Official;

let loading: Promise<Sdk> | undefined;

/** Loads the official client. It takes 17 MiB, so it is loaded at the first call of a tool server. */
export function loadSdk(): Promise<Sdk> {
  return (loading ??= import("@modelcontextprotocol/client"));
}
