import { z } from "zod";
import type { Fault } from "../../../contracts/errors.ts";
import { messageOf } from "../../../contracts/issue-message.ts";
import { jsonPointer } from "../../../contracts/json-pointer.ts";
import { MAX_EDGES, MAX_NODES } from "../../graph/definition.ts";

const record = z.record(z.string(), z.unknown());
const text = z.string().min(1).max(200);

/** Steps are more than twice as wide as n8n's nodes. With n8n's distances they would cover one another. */
export const WIDER = 1.5;

const node = z.object({
  name: text,
  type: text,
  typeVersion: z.number().catch(1),
  parameters: record.catch({}),
  position: z
    .tuple([z.number(), z.number()])
    .transform(([x, y]): [number, number] => [Math.round(x * WIDER), y])
    .optional()
    .catch(undefined),
  disabled: z.boolean().catch(false),
  notes: z.string().optional().catch(undefined),
  onError: z.string().optional().catch(undefined),
  continueOnFail: z.boolean().catch(false),
  retryOnFail: z.boolean().catch(false),
  maxTries: z.number().catch(3),
  waitBetweenTries: z.number().catch(1_000),
  executeOnce: z.boolean().catch(false),
  alwaysOutputData: z.boolean().catch(false),
  credentials: record.optional().catch(undefined),
});
export type N8nNode = z.output<typeof node>;

const target = z.object({ node: z.string(), index: z.int().min(0).max(1_000).catch(0) });
const outputs = z.array(z.array(target).nullish().catch(null));

const exported = z.object({
  name: z.string().trim().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  nodes: z.array(node),
  connections: z.record(z.string(), z.record(z.string(), outputs)),
  settings: record.catch({}),
  pinData: record.nullish().catch(null),
});

export interface N8nLink {
  from: string;
  output: number;
  to: string;
  input: number;
  /** `main` for data, else the role of the connection, such as `ai_tool`. */
  kind: string;
}

export interface N8nWorkflow {
  name: string | undefined;
  description: string | undefined;
  nodes: N8nNode[];
  links: N8nLink[];
  settings: Record<string, unknown>;
  hasPinnedData: boolean;
}

function linksOf(connections: z.output<typeof exported>["connections"]): N8nLink[] {
  const links: N8nLink[] = [];
  for (const [from, kinds] of Object.entries(connections))
    for (const [kind, lists] of Object.entries(kinds))
      lists.forEach((targets, output) => {
        for (const { node: to, index: input } of targets ?? []) links.push({ from, output, to, input, kind });
      });
  return links;
}

const MAX_FAULTS = 50;

/** Whether a file looks like an n8n workflow. Only its outer fields are checked. */
export const isN8n = (document: Record<string, unknown>): boolean =>
  Array.isArray(document.nodes) && "connections" in document;

/**
 * Reads a workflow that n8n exported or put on the clipboard. Links refer to nodes by name, so names must be unique.
 */
export function readN8n(document: Record<string, unknown>): { workflow: N8nWorkflow } | { faults: Fault[] } {
  const count = (document.nodes as unknown[]).length;
  if (count > MAX_NODES) {
    return {
      faults: [{ path: "/nodes", message: `A workflow is limited to ${MAX_NODES} nodes. This one has ${count}.` }],
    };
  }
  const { success, data, error } = exported.safeParse(document);
  if (!success) {
    const issues = error.issues.slice(0, MAX_FAULTS);
    return { faults: issues.map(issue => ({ path: jsonPointer(issue.path), message: messageOf(issue) })) };
  }
  const names = new Set<string>();
  const twice = data.nodes.findIndex(({ name }) => names.size === names.add(name).size);
  if (twice >= 0) return { faults: [{ path: `/nodes/${twice}/name`, message: "Another node has the same name." }] };
  const links = linksOf(data.connections);
  if (links.length > MAX_EDGES) {
    const message = `A workflow is limited to ${MAX_EDGES} connections. This one has ${links.length}.`;
    return { faults: [{ path: "/connections", message }] };
  }
  const { name, description, nodes, settings, pinData } = data;
  const hasPinnedData = Object.keys(pinData ?? {}).length > 0;
  return { workflow: { name, description, nodes, links, settings, hasPinnedData } };
}
