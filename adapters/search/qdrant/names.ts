import { randomBytes } from "node:crypto";
import type { Embedder, SearchKind } from "../port.ts";
import { digest } from "../revision.ts";

const USUAL = "weft";
const ALLOWED = /^[a-z0-9_-]{1,64}$/i;

/**
 * An address of Qdrant that is permanently invalid. The one-line message repeats no part of it, because it may contain
 * a secret.
 */
export class QdrantAddressError extends Error {
  override readonly name = "QdrantAddressError";
}

/**
 * The prefix of collection names, from the address's `?prefix=`. Installations that share a server need different
 * prefixes, because each removes entries for which it has no document.
 * @throws {QdrantAddressError} when the prefix is invalid, or the address has other parameters.
 */
export function prefixOf({ searchParams }: URL): string {
  const { prefix = USUAL, ...others } = Object.fromEntries(searchParams);
  if (ALLOWED.test(prefix) && Object.keys(others).length === 0) return prefix;
  throw new QdrantAddressError(
    "QDRANT_URL: may end with ?prefix= and up to 64 letters, digits, _ or -, and nothing else",
  );
}

/**
 * How complete a collection is. `begun`: documents are missing. `words`: only vectors are missing. `whole`: nothing is
 * missing.
 */
export const STAGES = ["begun", "words", "whole"] as const;
export type Stage = (typeof STAGES)[number];

/** Qdrant allows names of 255 characters. This leaves room for the longest prefix, kind and dimension. */
const MAX_ENCODED = 172;
const DIGEST_BYTES = 32;
const DIGESTED = /^sha256:([0-9a-f]{64})$/;

/**
 * The names of collections and their aliases. The name of a collection contains its kind and embedder. A second alias
 * names its stage and ends with a random text. The alias disappears with a lost collection and is renamed with its
 * stage, so a node that uses the collection by this alias notices both.
 */
export class Names {
  readonly #prefix: string;
  /** Embedder ids that are too long for a name, by digest. */
  readonly #long = new Map<string, string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The alias of the collection that is searched. */
  active(kind: SearchKind): string {
    return `${this.#prefix}_${kind}`;
  }

  /**
   * The name contains the embedder, so that every node learns from the server alone which embedder the collection has.
   */
  collection(kind: SearchKind, { id, dimension }: Embedder): string {
    return `${this.active(kind)}_${dimension}_${this.#encoded(id)}`;
  }

  /**
   * Null if the name is not a collection of this kind. If this process does not know a long id, it is returned as its
   * digest.
   */
  embedder(kind: SearchKind, collection: string): Embedder | null {
    const pattern = new RegExp(`^${this.active(kind)}_(\\d+)_(?:([\\w-]+)|\\.([0-9a-f]{64}))$`);
    const [, dimension, encoded, hex] = pattern.exec(collection) ?? [];
    if (hex) return { id: this.#long.get(hex) ?? `sha256:${hex}`, dimension: Number(dimension) };
    return encoded ? { id: Buffer.from(encoded, "base64url").toString(), dimension: Number(dimension) } : null;
  }

  newStageAlias(kind: SearchKind, stage: Stage): string {
    return this.#stageAlias(kind, stage, randomBytes(8).toString("hex"));
  }

  /** The alias of the same collection at another stage. */
  atStage(kind: SearchKind, alias: string, stage: Stage): string {
    return this.#stageAlias(kind, stage, alias.slice(alias.lastIndexOf("_") + 1));
  }

  /** Null if the alias names no stage. */
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
