/** The functions that read the values of a sample. Each returns undefined for a missing value. */
export interface SampleSource {
  input: (signal: AbortSignal) => Promise<unknown>;
  output: (nodeId: string, signal: AbortSignal) => Promise<unknown>;
  /** The other names of the scope, such as `item`. */
  others: (signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>;
}

type Entry = { state: "loading" } | { state: "ready"; value: unknown } | { state: "failed" };

/**
 * The values that a step can read, for the chosen run and items. They can be large, so they are outside of React's
 * state. Completion and the tree read them, and typing draws nothing again.
 */
export class SampleStore {
  readonly #source: SampleSource;
  #stop = new AbortController();
  readonly #outputs = new Map<string, Entry>();
  #input: Entry | undefined;
  #others: Readonly<Record<string, unknown>> | undefined;
  #othersAsked = false;
  readonly #listeners = new Set<() => void>();
  #revision = 0;
  #scope: { stepIds: readonly string[]; revision: number; values: Readonly<Record<string, unknown>> } | undefined;

  constructor(source: SampleSource) {
    this.#source = source;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Increases when a value arrives. */
  readonly revision = (): number => this.#revision;

  #told(): void {
    this.#revision++;
    for (const listener of this.#listeners) listener();
  }

  #load(asked: Promise<unknown>, keep: (entry: Entry) => void): void {
    keep({ state: "loading" });
    const { signal } = this.#stop;
    const end = (entry: Entry) => {
      if (signal.aborted) return;
      keep(entry);
      this.#told();
    };
    asked.then(
      value => end({ state: "ready", value }),
      () => end({ state: "failed" }),
    );
  }

  /** Resolves when no request is running. Undefined if none is. */
  readonly missing = (): Promise<void> | undefined => {
    const isMissing = () => [this.#input, ...this.#outputs.values()].some(entry => entry?.state === "loading");
    if (!isMissing()) return undefined;
    return new Promise(resolve => {
      const leave = this.subscribe(() => {
        if (isMissing()) return;
        leave();
        resolve();
      });
    });
  };

  input(): Entry | undefined {
    if (!this.#input) this.#load(this.#source.input(this.#stop.signal), entry => (this.#input = entry));
    return this.#input;
  }

  output(nodeId: string): Entry | undefined {
    if (!this.#outputs.has(nodeId)) {
      this.#load(this.#source.output(nodeId, this.#stop.signal), entry => this.#outputs.set(nodeId, entry));
    }
    return this.#outputs.get(nodeId);
  }

  others(): Readonly<Record<string, unknown>> {
    if (!this.#othersAsked) {
      this.#othersAsked = true;
      this.#source.others(this.#stop.signal).then(
        others => {
          this.#others = others;
          this.#told();
        },
        () => undefined,
      );
    }
    return this.#others ?? {};
  }

  /**
   * The values that have arrived, with their names in expressions. A value that is read for the first time is requested
   * and arrives later. The same list of steps returns the same object until a value arrives.
   */
  scope(stepIds: readonly string[]): Readonly<Record<string, unknown>> {
    const known = this.#scope;
    if (known?.stepIds === stepIds && known.revision === this.#revision) return known.values;
    const values = this.#scopeNow(stepIds);
    this.#scope = { stepIds, revision: this.#revision, values };
    return values;
  }

  #scopeNow(stepIds: readonly string[]): Readonly<Record<string, unknown>> {
    const valueOf = (entry: Entry | undefined) => (entry?.state === "ready" ? entry.value : undefined);
    const steps: Record<string, unknown> = {};
    for (const id of stepIds) {
      const value = valueOf(this.output(id));
      if (value !== undefined) steps[id] = value;
    }
    const input = valueOf(this.input());
    const { item, index, ...others } = this.others();
    return {
      ...(input !== undefined && { input }),
      ...(item !== undefined && { item, index }),
      steps,
      ...others,
    };
  }

  /** Forgets the output of a step after its sample changed. */
  forget(nodeId: string): void {
    this.#outputs.delete(nodeId);
    this.#told();
  }

  /** Requests values again that were cancelled when the store was closed. */
  open(): void {
    if (!this.#stop.signal.aborted) return;
    this.#stop = new AbortController();
    this.#scope = undefined;
    for (const [id, { state }] of this.#outputs) if (state !== "ready") this.#outputs.delete(id);
    if (this.#input?.state !== "ready") this.#input = undefined;
    this.#othersAsked = this.#others !== undefined;
  }

  close(): void {
    this.#stop.abort();
  }
}
