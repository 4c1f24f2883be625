import { setImmediate as nextTurn } from "node:timers/promises";
import { readHeaderParameters } from "./header-parameters.ts";
import { MAX_CALL_MS, MAX_DROPPED, MAX_LISTING_CHARS, MAX_PAGES, MAX_TOOLS } from "./limits.ts";
import type { Mask } from "../../core/credentials/mask.ts";
import type { DroppedTool, McpToolDefinition } from "./port.ts";
import { readTool, type SchemaChecks, shownName } from "./read-tool.ts";
import { TOOLS_ASIDE } from "./request-streams.ts";
import type { Session } from "./session.ts";

export interface ListContext {
  signal: AbortSignal;
  checks: SchemaChecks | undefined;
  /** Groups take turns when schemas are checked. */
  group: string;
  /** Hides the credential of the server. */
  mask: Mask;
}

interface Page {
  tools: unknown[];
  next: string | undefined;
}

/** The number of tools to process before other work gets a turn, because a page may hold megabytes of tools. */
const AT_A_TIME = 10;
const REST = "(the rest)";

async function readPage(session: Session, cursor: string | undefined, signal: AbortSignal): Promise<Page> {
  const result = await session.client.request(
    { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
    { signal, timeout: MAX_CALL_MS },
  );
  const tools = result._meta?.[TOOLS_ASIDE];
  return { tools: Array.isArray(tools) ? tools : [], next: result.nextCursor };
}

/** Collects tools until a limit is reached. An unusable tool is left out with a reason. The others stay. */
class Listing {
  readonly tools = new Map<string, McpToolDefinition>();
  readonly dropped: DroppedTool[] = [];
  readonly headerTools = new Map<string, Record<string, unknown>>();
  #chars = 0;

  drop(name: string, reason: string): void {
    if (this.dropped.length < MAX_DROPPED) this.dropped.push({ name, reason });
  }

  /** Adds a tool. Returns false when the listing is full. */
  async add(raw: unknown, isModern: boolean, { checks, group, mask }: ListContext): Promise<boolean> {
    const read = await readTool(raw, checks, group);
    if ("fault" in read) return (this.drop(shownName(raw), read.fault), true);
    const { name, inputSchema } = read.tool;
    if (this.tools.has(name)) return (this.drop(name, "another tool before it has the same name"), true);
    if (this.tools.size >= MAX_TOOLS) return (this.drop(REST, `only the first ${MAX_TOOLS} tools are taken`), false);
    if (isModern) {
      const headers = readHeaderParameters(inputSchema);
      if ("fault" in headers) return (this.drop(name, headers.fault), true);
      if (headers.names.length > 0) this.headerTools.set(name, inputSchema);
    }
    const tool = mask(read.tool);
    this.#chars += JSON.stringify(tool).length;
    if (this.#chars > MAX_LISTING_CHARS)
      return (this.drop(REST, `only the first ${MAX_LISTING_CHARS} characters of definitions are taken`), false);
    this.tools.set(name, tool);
    return true;
  }
}

/**
 * Lists all tools of a server.
 * @throws the library's errors when a request fails.
 */
export async function listTools(session: Session, context: ListContext) {
  const listing = new Listing();
  const { tools, dropped } = listing;
  const listed = () => ({ tools: [...tools.values()], dropped });
  if (!session.client.getServerCapabilities()?.tools) return listed();
  const seen = new Set<string>();
  for (let page: Page | undefined; ;) {
    page = await readPage(session, page?.next, context.signal);
    let isFull = false;
    for (const [at, raw] of page.tools.entries()) {
      if (at % AT_A_TIME === 0) await nextTurn();
      context.signal.throwIfAborted();
      isFull = !(await listing.add(raw, session.isModern, context));
      if (isFull) break;
    }
    if (isFull || page.next === undefined) break;
    if (seen.has(page.next) || seen.size >= MAX_PAGES) {
      listing.drop(
        REST,
        seen.has(page.next) ? "a page of the list leads back to itself" : `only ${MAX_PAGES} pages are read`,
      );
      break;
    }
    seen.add(page.next);
  }
  session.headerTools.clear();
  for (const [name, schema] of listing.headerTools) session.headerTools.set(name, schema);
  return listed();
}
