/** The calls of this node that whoever made them may give up, by the ids that they chose. */
export class OpenCalls {
  readonly #open = new Map<string, AbortController>();

  /** Ends a call, where it runs here. */
  cancel(callId: string): void {
    this.#open.get(callId)?.abort();
  }

  /** `deadline` ends it too. Rejects with what `work` does once its signal is aborted. */
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
