/** The calls of this node that their callers may cancel, by the ids that the callers chose. */
export class OpenCalls {
  readonly #open = new Map<string, AbortController>();

  /** Aborts a call, if it runs on this node. */
  cancel(callId: string): void {
    this.#open.get(callId)?.abort();
  }

  /** Runs `work` with a signal, which `deadline` aborts too. After an abort, rejects with the error of `work`. */
  async run<T>(
    callId: string | undefined,
    deadline: AbortSignal | undefined,
    work: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    if (callId === undefined) return work(deadline);
    const cancelled = new AbortController();
    this.#open.set(callId, cancelled);
    try {
      return await work(AbortSignal.any([cancelled.signal, ...(deadline ? [deadline] : [])]));
    } finally {
      if (this.#open.get(callId) === cancelled) this.#open.delete(callId);
    }
  }
}
