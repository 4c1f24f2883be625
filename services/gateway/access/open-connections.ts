import { AppError } from "../../../contracts/errors.ts";

/** Open streams and requests of this node, by the session or API key that opened them. */
export class OpenConnections {
  readonly #uses = new Map<string, Set<() => void>>();

  /** Calls `end` when the credential ends, unless the returned function is called first. */
  enter(credentialId: string, end: () => void): () => void {
    const uses = this.#uses.get(credentialId) ?? new Set();
    this.#uses.set(credentialId, uses.add(end));
    return () => {
      uses.delete(end);
      if (uses.size === 0 && this.#uses.get(credentialId) === uses) this.#uses.delete(credentialId);
    };
  }

  /** Ends everything that this credential opened, because the credential has ended. */
  ended(credentialId: string): void {
    const uses = this.#uses.get(credentialId);
    this.#uses.delete(credentialId);
    uses?.forEach(end => end());
  }

  /**
   * The result of `work`, unless the credential ends first. The work itself continues.
   * @throws {AppError} unauthenticated when the credential ends first
   */
  async during<T>(credentialId: string, work: Promise<T>): Promise<T> {
    let leave: (() => void) | undefined;
    const ended = new Promise<never>((_, reject) => {
      leave = this.enter(credentialId, () => reject(new AppError("unauthenticated")));
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      leave?.();
    }
  }
}
