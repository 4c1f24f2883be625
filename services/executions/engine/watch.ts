import type { ServiceBroker } from "moleculer";
import { hint } from "../../../contracts/call.ts";
import { WorkspaceNews } from "../../../service-kit/workspace-news.ts";

const MAX_WATCHED = 100_000;

/** Registers which nodes follow which executions, so that appends are announced only to these nodes. */
export class Watch {
  /** By execution and node: the time until which the node listens. */
  private readonly until = new Map<string, Map<string, number>>();
  private readonly broker: ServiceBroker;
  /** What followers of a whole workspace are told. */
  readonly news: WorkspaceNews;

  constructor(broker: ServiceBroker) {
    this.broker = broker;
    this.news = new WorkspaceNews(broker);
  }

  add(executionId: string, forMs: number, nodeId: string): void {
    if (this.until.size >= MAX_WATCHED) this.sweep();
    const nodes = this.until.get(executionId) ?? new Map<string, number>();
    if (nodes.size === 0 && this.until.size >= MAX_WATCHED) return;
    this.until.set(executionId, nodes.set(nodeId, Date.now() + forMs));
  }

  announce(executionId: string, seq: number): void {
    const nodes = this.until.get(executionId);
    if (!nodes) return;
    this.forget(executionId, nodes, Date.now());
    hint(this.broker, [...nodes.keys()], "execution.appended", { executionId, seq });
  }

  sweep(): void {
    const now = Date.now();
    for (const [id, nodes] of this.until) this.forget(id, nodes, now);
  }

  private forget(executionId: string, nodes: Map<string, number>, now: number): void {
    for (const [nodeId, until] of nodes) if (until < now) nodes.delete(nodeId);
    if (nodes.size === 0) this.until.delete(executionId);
  }
}
