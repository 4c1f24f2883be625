import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import { parseDefinition, type ParsedDefinition } from "../../../core/graph/parse-definition.ts";

export interface RunnableWorkflow {
  id: string;
  name: string;
  version: number;
  parsed: ParsedDefinition;
}

const MAX_KEPT = 500;
const GONE: ParsedDefinition = {
  faults: [{ nodeId: null, path: "", message: "This version of the workflow is gone." }],
};

/** Compiled workflows by version. A version never changes, so what was compiled once stays right. */
export class Definitions {
  private readonly kept = new Map<string, RunnableWorkflow>();
  private readonly broker: ServiceBroker;

  constructor(broker: ServiceBroker) {
    this.broker = broker;
  }

  async get(workspaceId: string, workflowId: string, version: number): Promise<RunnableWorkflow> {
    const key = `${workspaceId}:${workflowId}:${version}`;
    const kept = this.kept.get(key);
    if (kept) return kept;
    const snapshot = await call(this.broker, "workflows.snapshot", { workspaceId, workflowId, version });
    if (!snapshot) return { id: workflowId, name: "", version, parsed: GONE };
    const made = { id: workflowId, name: snapshot.name, version, parsed: parseDefinition(snapshot.definition) };
    const oldest = this.kept.size >= MAX_KEPT ? this.kept.keys().next().value : undefined;
    if (oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, made);
    return made;
  }
}
