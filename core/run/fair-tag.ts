/** What the queue shows at one moment: the lowest tag of all, and the highest of one workspace; null where none waits. */
export interface Glimpse {
  head: number | null;
  last: number | null;
}

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) with equal weights and a cost of one a run: the tag is the greater of
 * the virtual time, which is the tag at the head of the queue, and the workspace's last tag plus one. The lowest tag is
 * served first. So a workspace that queues thousands of runs only ever stands in its own way.
 */
export class FairTags {
  /** By workspace: the last tag given, and how many are given that the queue may not show yet. */
  private readonly given = new Map<string, { last: number; underWay: number }>();

  /** The tag of a workspace's next run. `settled` has to follow, when the run is in the queue or never will be. */
  give(workspaceId: string, { head, last }: Glimpse): number {
    const virtual = head ?? 0;
    const next = last === null ? virtual : Math.max(virtual, last + 1);
    const given = this.given.get(workspaceId) ?? { last: next - 1, underWay: 0 };
    this.given.set(workspaceId, given);
    // Those under way may or may not have been seen in the queue; it cannot be more of them than there are.
    given.last = Math.max(next, Math.min(given.last + 1, next + given.underWay));
    given.underWay++;
    return given.last;
  }

  settled(workspaceId: string): void {
    const given = this.given.get(workspaceId);
    if (given && --given.underWay === 0) this.given.delete(workspaceId);
  }
}
