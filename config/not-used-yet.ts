/** Variables that are checked, so that a file written for them is good, though nothing in this version reads them. */
export const NOT_USED_YET = ["MCP_SYNC_INTERVAL_MS"] as const;

/** One line that names those of them that are set; undefined where none is. */
export function notUsedYet(env: NodeJS.ProcessEnv): string | undefined {
  const set = NOT_USED_YET.filter(name => env[name]?.trim());
  return set.length > 0 ? `Set, but not used by this version yet: ${set.join(", ")}.` : undefined;
}
