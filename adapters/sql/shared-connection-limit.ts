/** A pool that shares the limit of connections with others. */
export interface Member {
  /** The workspace whose steps use the pool. */
  readonly owner: string;
  /** The number of connections, including those that are being opened. */
  readonly size: number;
  /** Whether a caller waits for a connection that the pool may open when there is room. */
  readonly isWanting: boolean;
  /** Ends the pool's idle connections. Returns whether there were any. */
  closeUnused(): boolean;
  /** Opens one more connection. */
  openOne(): void;
}

/**
 * The limit of all pools of a process together. When it is reached, connections move to those with fewer connections:
 * first between workspaces, then between the pools of one workspace.
 */
export class SharedConnectionLimit {
  readonly max: number;
  readonly #members = new Set<Member>();

  constructor(max: number) {
    this.max = max;
  }

  get used(): number {
    let sum = 0;
    for (const { size } of this.#members) sum += size;
    return sum;
  }

  join(member: Member): void {
    this.#members.add(member);
  }

  leave(member: Member): void {
    this.#members.delete(member);
    this.freed();
  }

  /** Whether another connection may be opened. If necessary, idle connections are ended. */
  hasRoom(): boolean {
    if (this.used < this.max) return true;
    for (const member of this.#members) if (member.closeUnused()) return true;
    return false;
  }

  /** A member has one connection less, or an idle one. The waiting member with the fewest connections gets the room. */
  freed(): void {
    for (let [first] = this.#wanting(); first && this.hasRoom(); [first] = this.#wanting()) first.openOne();
  }

  /** Whether a returned connection should end, because a waiting member has fewer. */
  shouldYield(member: Member): boolean {
    if (this.used < this.max) return false;
    const [first] = this.#wanting();
    if (!first || first === member) return false;
    if (first.owner === member.owner) return first.size + 1 < member.size;
    return this.#sizeOf(first.owner) + 1 < this.#sizeOf(member.owner);
  }

  #sizeOf(owner: string): number {
    let sum = 0;
    for (const member of this.#members) if (member.owner === owner) sum += member.size;
    return sum;
  }

  /** The waiting members, those with the fewest connections first. */
  #wanting(): Member[] {
    const wanting = [...this.#members].filter(({ isWanting }) => isWanting);
    if (wanting.length < 2) return wanting;
    const owned = new Map(wanting.map(({ owner }) => [owner, this.#sizeOf(owner)]));
    return wanting.sort((a, b) => owned.get(a.owner)! - owned.get(b.owner)! || a.size - b.size);
  }
}
