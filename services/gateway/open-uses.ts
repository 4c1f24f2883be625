import { AppError } from "../../contracts/errors.ts";

/** What is open on this node, streams and requests under way, by the session or API key under which it was opened. */
export class OpenUses {
  readonly #uses = new Map<string, Set<() => void>>();

  /** `end` is called when the credential ends before the function that this gives is. */
  enter(credentialId: string, end: () => void): () => void {
    const uses = this.#uses.get(credentialId) ?? new Set();
    this.#uses.set(credentialId, uses.add(end));
    return () => {
      uses.delete(end);
      if (uses.size === 0 && this.#uses.get(credentialId) === uses) this.#uses.delete(credentialId);
    };
  }

  /** The credential was ended, and with it what is open under it. */
  ended(credentialId: string): void {
    const uses = this.#uses.get(credentialId);
    this.#uses.delete(credentialId);
    uses?.forEach(end => end());
  }

  /**
   * What `work` comes to, unless the credential ends before it; the work itself goes on.
   * @throws AppError unauthenticated
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
