import type { ServiceBroker } from "moleculer";
import { v7 as uuid } from "uuid";

/** The fields of a document that record which node renews a part of it. */
export interface RenewalTurn {
  renewer?: string | null;
  /** By the clock of the renewing node. */
  renewUntil?: Date | null;
}

/** A larger difference between the clocks of nodes is not supported. */
const MAX_SKEW_MS = 300_000;

/** The turns of this process. */
const own = new Set<string>();

/**
 * A turn gives one node the exclusive right to renew something for a limited time. It ends when its node releases it or
 * has died. Clocks of nodes differ, so a turn of another node counts as expired only after this node has observed it
 * unchanged for its whole length.
 */
export class RenewalTurns {
  readonly #holdMs: number;
  /** If there are no other nodes, a turn that began before this time belongs to a dead process. */
  readonly #aloneSince: number | null;

  constructor({ options }: Pick<ServiceBroker, "options">, holdMs: number) {
    this.#holdMs = holdMs;
    this.#aloneSince = options.transporter ? null : Date.now();
  }

  /** A new turn of this node, to be stored. The caller has to end it. */
  begin(): { renewer: string; renewUntil: Date } {
    const renewer = uuid();
    own.add(renewer);
    return { renewer, renewUntil: new Date(Date.now() + this.#holdMs) };
  }

  end({ renewer }: { renewer: string }): void {
    own.delete(renewer);
  }

  /**
   * Returns a function that reports whether the given turn has ended. The function remembers the turn of its last call.
   */
  watch(): (turn: RenewalTurn) => boolean {
    let last: string | null = null;
    let since = 0;
    return ({ renewer = null, renewUntil = null }) => {
      if (renewer === null) return true;
      if (own.has(renewer)) return false;
      const until = renewUntil?.getTime() ?? 0;
      if (this.#aloneSince !== null && until - this.#holdMs < this.#aloneSince) return true;
      if (until <= Date.now() - MAX_SKEW_MS) return true;
      const now = performance.now();
      if (renewer !== last) [last, since] = [renewer, now];
      return now - since >= this.#holdMs;
    };
  }
}
