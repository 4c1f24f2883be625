import type { ServiceBroker } from "moleculer";
import { hint } from "../../../contracts/call.ts";
import type { StepWords } from "../../../contracts/entities/execution.ts";
import { WorkspacePublisher } from "../../../service-kit/workspace-publisher.ts";

const MAX_WATCHED = 100_000;

/** Registers which nodes follow which executions, so that appends are announced only to these nodes. */
export class FollowerRegistry {
  /** The time until which each node listens, by execution and node. */
  private readonly until = new Map<string, Map<string, number>>();
  /** Increases each time that a follower of any execution starts or continues. */
  private rounds = 0;
  private readonly roundsById = new Map<string, number>();
  private readonly broker: ServiceBroker;
  /** Notifies the followers of a whole workspace. */
  readonly news: WorkspacePublisher;

  constructor(broker: ServiceBroker) {
    this.broker = broker;
    this.news = new WorkspacePublisher(broker);
  }

  add(executionId: string, forMs: number, nodeId: string): void {
    if (this.until.size >= MAX_WATCHED) this.sweep();
    const nodes = this.until.get(executionId) ?? new Map<string, number>();
    if (nodes.size === 0 && this.until.size >= MAX_WATCHED) return;
    this.until.set(executionId, nodes.set(nodeId, Date.now() + forMs));
    this.roundsById.set(executionId, ++this.rounds);
  }

  announce(executionId: string, seq: number): void {
    const nodes = this.until.get(executionId);
    if (!nodes) return;
    this.forget(executionId, nodes, Date.now());
    hint(this.broker, [...nodes.keys()], "execution.appended", { executionId, seq });
  }

  /**
   * A number that increases when a follower of the execution starts or continues. Undefined while it has no followers.
   */
  roundOf(executionId: string): number | undefined {
    return this.roundsById.get(executionId);
  }

  /** Sends new text of a model to the nodes that follow the execution. */
  tellWords(executionId: string, words: StepWords): void {
    const nodes = this.until.get(executionId);
    if (!nodes) return;
    this.forget(executionId, nodes, Date.now());
    hint(this.broker, [...nodes.keys()], "execution.words", { executionId, words });
  }

  sweep(): void {
    const now = Date.now();
    for (const [id, nodes] of this.until) this.forget(id, nodes, now);
  }

  private forget(executionId: string, nodes: Map<string, number>, now: number): void {
    for (const [nodeId, until] of nodes) if (until < now) nodes.delete(nodeId);
    if (nodes.size > 0) return;
    this.until.delete(executionId);
    this.roundsById.delete(executionId);
  }
}
