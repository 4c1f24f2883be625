import { randomBytes } from "node:crypto";
import type { Embedder, SearchKind } from "../port.ts";
import { digest } from "../revision.ts";

/**
 * What a collection has of the documents: `begun`, not all of them; `words`, all, though some vectors are still to be made;
 * `whole`, everything.
 */
export const STAGES = ["begun", "words", "whole"] as const;
export type Stage = (typeof STAGES)[number];

/** Qdrant takes names of 255 characters; this leaves room for the longest prefix, kind and dimension. */
const MAX_ENCODED = 172;
const DIGEST_BYTES = 32;
const DIGESTED = /^sha256:([0-9a-f]{64})$/;

/**
 * The names of collections and of their aliases. A collection is named by its kind and embedder. Each has one alias more, whose
 * name says its stage and ends with a random text: who uses a collection by it notices when it is lost and made anew, or
 * when its stage changes, since the alias goes with the one and is renamed with the other.
 */
export class Names {
  readonly #prefix: string;
  /** The ids of embedders that are too long to be in a name, by their digest. */
  readonly #long = new Map<string, string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The alias of the collection that is searched. */
  active(kind: SearchKind): string {
    return `${this.#prefix}_${kind}`;
  }

  /** Says the embedder, so that every node reads from the server alone what it holds. */
  collection(kind: SearchKind, { id, dimension }: Embedder): string {
    return `${this.active(kind)}_${dimension}_${this.#encoded(id)}`;
  }

  /** Null where it is no collection of this kind. A long id that this process has not met is its digest. */
  embedder(kind: SearchKind, collection: string): Embedder | null {
    const pattern = new RegExp(`^${this.active(kind)}_(\\d+)_(?:([\\w-]+)|\\.([0-9a-f]{64}))$`);
    const [, dimension, encoded, hex] = pattern.exec(collection) ?? [];
    if (hex) return { id: this.#long.get(hex) ?? `sha256:${hex}`, dimension: Number(dimension) };
    return encoded ? { id: Buffer.from(encoded, "base64url").toString(), dimension: Number(dimension) } : null;
  }

  newStageAlias(kind: SearchKind, stage: Stage): string {
    return this.#stageAlias(kind, stage, randomBytes(8).toString("hex"));
  }

  /** The same collection's alias at another stage. */
  atStage(kind: SearchKind, alias: string, stage: Stage): string {
    return this.#stageAlias(kind, stage, alias.slice(alias.lastIndexOf("_") + 1));
  }

  /** Null where the alias says none. */
  stage(kind: SearchKind, alias: string): Stage | null {
    return STAGES.find(stage => alias.startsWith(this.#stageAlias(kind, stage, ""))) ?? null;
  }

  #stageAlias(kind: SearchKind, stage: Stage, making: string): string {
    return `${this.active(kind)}_${stage}_${making}`;
  }

  #encoded(id: string): string {
    const encoded = Buffer.from(id).toString("base64url");
    if (encoded.length <= MAX_ENCODED && !DIGESTED.test(id)) return encoded;
    const [, hex = digest(id, DIGEST_BYTES)] = DIGESTED.exec(id) ?? [];
    if (!DIGESTED.test(id)) this.#long.set(hex, id);
    return `.${hex}`;
  }
}
