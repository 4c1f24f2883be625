import type * as Official from "@modelcontextprotocol/client";

export type Sdk = typeof Official;

let loading: Promise<Sdk> | undefined;

/** The official client. It takes 17 MiB, so it is loaded when the first tool server is called. */
export function loadSdk(): Promise<Sdk> {
  return (loading ??= import("@modelcontextprotocol/client"));
}
