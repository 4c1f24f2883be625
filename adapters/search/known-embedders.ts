import { UnknownEmbedderError } from "./errors.ts";
import type { Embedder, EmbedderState, SearchKind, Vector } from "./port.ts";

/**
 * How long the answer about embedders is reused. Other nodes rarely change embedders, and a search with an outdated one
 * uses words.
 */
export const EMBEDDERS_FRESH_MS = 5_000;

/**
 * The models with vectors in the index, as this process last read them. Other processes may have changed them since.
 */
export class KnownEmbedders {
  readonly #read: (kind: SearchKind) => Promise<EmbedderState>;
  readonly #known = new Map<SearchKind, { state: EmbedderState; at: number }>();

  constructor(read: (kind: SearchKind) => Promise<EmbedderState>) {
    this.#read = read;
  }

  async ask(kind: SearchKind, read = this.#read): Promise<EmbedderState> {
    const state = await read(kind);
    this.#known.set(kind, { state, at: performance.now() });
    return state;
  }

  /** The recently read models, unless one of them is still incomplete. */
  async recent(kind: SearchKind): Promise<EmbedderState> {
    const known = this.#known.get(kind);
    if (!known?.state.active || known.state.building) return this.ask(kind);
    return performance.now() - known.at < EMBEDDERS_FRESH_MS ? known.state : this.ask(kind);
  }

  /** Reads the models again if an item has a vector of an unknown model. */
  async learn(kind: SearchKind, items: readonly { vector?: Vector }[]): Promise<void> {
    const isUnknown = ({ vector }: { vector?: Vector }) => vector !== undefined && !this.#find(kind, vector.embedder);
    if (items.some(isUnknown)) await this.ask(kind);
  }

  /**
   * Finds an embedder by id.
   * @throws {UnknownEmbedderError} when the index has no such embedder.
   */
  of(kind: SearchKind): (id: string) => Embedder {
    return id => {
      const embedder = this.#find(kind, id);
      if (!embedder) throw new UnknownEmbedderError(id);
      return embedder;
    };
  }

  #find(kind: SearchKind, id: string): Embedder | undefined {
    const { active, building } = this.#known.get(kind)?.state ?? {};
    return [building, active].find(embedder => embedder?.id === id) ?? undefined;
  }
}
