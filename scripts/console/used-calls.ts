/**
 * A call of a client, which may continue on the next line: `weft.executions.list`, `anonymous.identity.browser.token`.
 */
const CALL = /\b(?:weft|anonymous)((?:\s*\??\.\s*\w+)+)/g;

/** Calls of the SDK that send the request of another call. */
const SENT_AS: Readonly<Record<string, string>> = {
  "knowledge.imports.upload": "knowledge.imports.create",
  "executions.startWithFiles": "executions.start",
};

/**
 * The calls of the SDK that the sources use, out of these. If a source uses a group by itself, such as `weft.webhooks`,
 * all calls of the group count as used.
 */
export function usedCalls(sources: Iterable<string>, calls: readonly string[]): Set<string> {
  const used = new Set<string>();
  for (const source of sources) {
    for (const [, chain = ""] of source.matchAll(CALL)) {
      const path = chain.replace(/[\s?]/g, "").slice(1);
      const sent = SENT_AS[path];
      if (sent !== undefined) used.add(sent);
      for (const call of calls) {
        if (`${path}.`.startsWith(`${call}.`) || call.startsWith(`${path}.`)) used.add(call);
      }
    }
  }
  return used;
}
