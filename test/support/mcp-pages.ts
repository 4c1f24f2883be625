/** How the list of tools is split into pages. Default: a single page. */
export interface McpPages {
  /** The number of tools per page. */
  size?: number;
  /** Every page has a next page with a tool of a new name. */
  endless?: boolean;
  /** Every page names itself as the next page. */
  repeated?: boolean;
}

export function listPage(tools: Record<string, unknown>[], pages: McpPages, cursor: string | undefined) {
  const listed = tools.map(({ run: _, ...definition }) => definition);
  const at = Number(cursor ?? 0);
  if (pages.endless)
    return { tools: [{ name: `tool_${at}`, inputSchema: { type: "object" } }], nextCursor: String(at + 1) };
  if (pages.repeated) return { tools: listed, nextCursor: "again" };
  if (!pages.size) return { tools: listed };
  const end = at + pages.size;
  return { tools: listed.slice(at, end), ...(end < listed.length && { nextCursor: String(end) }) };
}
