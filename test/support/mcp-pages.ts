/** How the list of tools is handed out: whole, unless something is set. */
export interface McpPages {
  /** Tools a page. */
  size?: number;
  /** Always one more page, each with a tool of a new name. */
  endless?: boolean;
  /** Every page names itself as the next. */
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
