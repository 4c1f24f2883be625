/** A pool that shares room for connections with others. */
export interface Member {
  /** The workspace whose steps use it. */
  readonly owner: string;
  /** Its connections, also those that are being opened. */
  readonly size: number;
  /** Someone waits for a connection that it may open as soon as there is room. */
  readonly isWanting: boolean;
  /** Ends its unused connections if it has any. */
  closeUnused(): boolean;
  /** Opens one connection more. */
  openOne(): void;
}

/**
 * The limit of all pools of a process together. Where it is reached, connections move from those who have many to those
 * who have fewer: first between workspaces, then between the pools of one.
 */
export class SharedRoom {
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

  /** Whether another connection may be opened. Ends one that no one uses if it has to. */
  hasRoom(): boolean {
    if (this.used < this.max) return true;
    for (const member of this.#members) if (member.closeUnused()) return true;
    return false;
  }

  /** A member has a connection less, or one that it does not use. The member that has least gets the room. */
  freed(): void {
    for (let [first] = this.#wanting(); first && this.hasRoom(); [first] = this.#wanting()) first.openOne();
  }

  /** Whether a connection that is given back is to end, since another member waits and has fewer. */
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

  /** Those who wait, and those who have least first. */
  #wanting(): Member[] {
    const wanting = [...this.#members].filter(({ isWanting }) => isWanting);
    if (wanting.length < 2) return wanting;
    const owned = new Map(wanting.map(({ owner }) => [owner, this.#sizeOf(owner)]));
    return wanting.sort((a, b) => owned.get(a.owner)! - owned.get(b.owner)! || a.size - b.size);
  }
}
