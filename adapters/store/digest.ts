import { createHash } from "node:crypto";
import { types } from "node:util";
import type { CheckedDocument } from "./document.ts";
import { isPlain } from "./filter.ts";
import type { Layout } from "./layout.ts";

/** A short summary of a collection's content. Equal documents have equal digests, on either driver and in any order. */
export interface Digest {
  count: number;
  /** 64 hexadecimal digits. */
  hash: string;
}

const MODULUS = 1n << 256n;

/**
 * Adds up the SHA-256 of each document modulo 2^256: a hash of a set that can be computed in any order (Bellare and
 * Micciancio, "A new paradigm for collision-free hashing", 1997). It detects documents that were lost or changed in
 * transit, but does not protect against forged documents.
 */
export class Digester {
  #count = 0;
  #sum = 0n;

  add({ fields, json }: CheckedDocument): void {
    const text = JSON.stringify([canonical(fields), canonical(json)]);
    this.#sum = (this.#sum + BigInt(`0x${createHash("sha256").update(text).digest("hex")}`)) % MODULUS;
    this.#count++;
  }

  get digest(): Digest {
    return { count: this.#count, hash: this.#sum.toString(16).padStart(64, "0") };
  }
}

/** Splits a document of the store into the parts that the store keeps, without validating it. */
export function splitDocument(layout: Layout, document: Record<string, unknown>): CheckedDocument {
  const fields = { ...document };
  const json: Record<string, string> = {};
  for (const field of layout.json) {
    if (fields[field] !== undefined) json[field] = JSON.stringify(fields[field]);
    delete fields[field];
  }
  return { fields, json };
}

/** Sorts the keys of objects, because neither driver guarantees an order. Distinguishes dates from texts. */
function canonical(value: unknown): unknown {
  if (types.isDate(value)) return { $date: value.getTime() };
  if (Array.isArray(value) || !isPlain(value)) return value;
  const entries = Object.keys(value).sort();
  return Object.fromEntries(entries.map(key => [key, canonical(value[key])]));
}
