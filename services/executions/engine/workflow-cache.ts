import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import { parseDefinition, type ParsedDefinition } from "../../../core/graph/parse-definition.ts";

export interface RunnableWorkflow {
  id: string;
  name: string;
  version: number;
  parsed: ParsedDefinition;
}

const NOTHING: WorkflowGraph = { nodes: [], byId: new Map(), settings: {} };

/** The graph of a workflow; a graph without nodes if its definition cannot run. */
export const graphOf = ({ parsed }: RunnableWorkflow): WorkflowGraph => parsed.graph ?? NOTHING;

interface Kept {
  workflow: RunnableWorkflow;
  weight: number;
}

const MAX_KEPT = 500;
/** In bytes of heap, as `weigh` estimates them. The heaviest allowed definition takes three quarters of the limit. */
const MAX_WEIGHT = 64 * 1024 * 1024;
/**
 * Measured and rounded up, for three worst cases: a list of empty objects per character, a plain node, and JSONata's
 * share per unit of work.
 */
const BYTES_PER_CHAR = 20;
const BYTES_PER_NODE = 1_500;
const BYTES_PER_WORK = 350;

const GONE: ParsedDefinition = {
  faults: [{ nodeId: null, path: "", message: "This version of the workflow no longer exists." }],
};

/** Estimates the bytes of heap that a compiled definition holds. */
function weigh(definition: unknown, parsed: ParsedDefinition): number {
  if (!parsed.graph) return BYTES_PER_CHAR * JSON.stringify(parsed.faults).length;
  const chars = JSON.stringify(definition ?? null).length;
  return BYTES_PER_CHAR * chars + BYTES_PER_NODE * parsed.graph.byId.size + BYTES_PER_WORK * parsed.work;
}

/**
 * A cache of compiled workflows by version. A version never changes, so a compiled workflow stays valid. The least
 * recently used workflows are evicted first.
 */
export class WorkflowCache {
  private readonly kept = new Map<string, Kept>();
  private readonly compiling = new Map<string, Promise<RunnableWorkflow>>();
  private readonly broker: ServiceBroker;
  private weight = 0;

  constructor(broker: ServiceBroker) {
    this.broker = broker;
  }

  /** Concurrent callers that ask for the same version share one compilation. */
  async get(workspaceId: string, workflowId: string, version: number): Promise<RunnableWorkflow> {
    const key = `${workspaceId}:${workflowId}:${version}`;
    const kept = this.kept.get(key);
    if (kept) {
      this.kept.delete(key);
      this.kept.set(key, kept);
      return kept.workflow;
    }
    const shared = this.compiling.get(key);
    if (shared) return shared;
    const compiling = this.compile(key, workspaceId, workflowId, version);
    this.compiling.set(key, compiling);
    try {
      return await compiling;
    } finally {
      this.compiling.delete(key);
    }
  }

  private async compile(
    key: string,
    workspaceId: string,
    workflowId: string,
    version: number,
  ): Promise<RunnableWorkflow> {
    const snapshot = await call(this.broker, "workflows.snapshot", { workspaceId, workflowId, version });
    if (!snapshot) return { id: workflowId, name: "", version, parsed: GONE };
    const read = parseDefinition(snapshot.definition);
    // Runs never use a part of a faulty definition, so only its faults are kept.
    const parsed: ParsedDefinition = read.graph ? read : { faults: read.faults };
    const workflow = { id: workflowId, name: snapshot.name, version, parsed };
    this.keep(key, { workflow, weight: weigh(snapshot.definition, parsed) });
    return workflow;
  }

  private keep(key: string, made: Kept): void {
    for (const [oldest, { weight }] of this.kept) {
      if (this.kept.size < MAX_KEPT && this.weight + made.weight <= MAX_WEIGHT) break;
      this.kept.delete(oldest);
      this.weight -= weight;
    }
    this.kept.set(key, made);
    this.weight += made.weight;
  }
}
