/** The queue at one moment: the lowest tag of all, and the highest tag of one workspace. Null if no run waits. */
export interface QueueSnapshot {
  head: number | null;
  last: number | null;
}

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) with equal weights and a cost of one per run. The tag is the
 * greater of the virtual time, which is the tag at the head of the queue, and the workspace's last tag plus one. The
 * lowest tag is served first. So a workspace that queues thousands of runs delays only itself.
 */
export class FairTags {
  /** By workspace: the last given tag, and the number of given tags that the queue may not show yet. */
  private readonly given = new Map<string, { last: number; underWay: number }>();

  /**
   * Gives the tag for a workspace's next run. The caller must call `settled` once the run is in the queue, or will
   * never be.
   */
  give(workspaceId: string, { head, last }: QueueSnapshot): number {
    const virtual = head ?? 0;
    const next = last === null ? virtual : Math.max(virtual, last + 1);
    const given = this.given.get(workspaceId) ?? { last: next - 1, underWay: 0 };
    this.given.set(workspaceId, given);
    // The queue may already show some runs that count in `underWay`, so the tag exceeds the queue by at most their
    // number.
    given.last = Math.max(next, Math.min(given.last + 1, next + given.underWay));
    given.underWay++;
    return given.last;
  }

  settled(workspaceId: string): void {
    const given = this.given.get(workspaceId);
    if (given && --given.underWay === 0) this.given.delete(workspaceId);
  }
}
