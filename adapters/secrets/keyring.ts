import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;
const ID_BYTES = 6;

/**
 * HKDF-SHA-256 (RFC 5869): a derived key reveals nothing about the secret, or about keys that are derived for other
 * purposes.
 */
const derive = (secret: string, end: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "", `weft ${end}`, bytes));

/** A secret and the keys derived from it. */
export class SealingKey {
  /** Eight characters that identify the key without revealing anything about the secret. */
  readonly id: string;
  readonly secret: string;
  readonly #derived = new Map<string, Buffer>();

  constructor(secret: string) {
    this.secret = secret;
    this.id = derive(secret, "key id", ID_BYTES).toString("base64url");
  }

  /** The 256-bit key for one purpose. */
  for(purpose: string): Buffer {
    let key = this.#derived.get(purpose);
    if (!key) this.#derived.set(purpose, (key = derive(this.secret, purpose, KEY_BYTES)));
    return key;
  }
}

export interface KeySource {
  /** The secrets. The first one seals. */
  read(): readonly string[];
  /** A text that changes when the secrets may have changed. It is called often. */
  version(): string;
}

/**
 * The keys that this process knows. It seals with the first key and opens with any key. Before each sealing it checks
 * the source, so that nothing is sealed with the former key after a rotation. Keys that left the source can still open
 * texts, because a text may be read before a rotation and opened after it.
 */
export class Keyring {
  readonly #source: KeySource;
  readonly #known = new Map<string, SealingKey>();
  #first: SealingKey | undefined;
  #version: string | undefined;

  /** @throws the errors of the source. */
  constructor(source: KeySource) {
    this.#source = source;
    this.#refresh();
  }

  #refresh(): void {
    const version = this.#source.version();
    if (version === this.#version) return;
    const keys = this.#source.read().map(secret => new SealingKey(secret));
    for (const key of keys) if (!this.#known.has(key.id)) this.#known.set(key.id, key);
    this.#first = keys[0] && this.#known.get(keys[0].id);
    this.#version = version;
  }

  /**
   * The key to seal with. A text that is sealed under a dropped key would be lost.
   * @throws the errors of the source.
   */
  get first(): SealingKey {
    this.#refresh();
    if (!this.#first) throw new Error("No key is set to seal with");
    return this.#first;
  }

  get known(): readonly SealingKey[] {
    return [...this.#known.values()];
  }

  find(id: string): SealingKey | undefined {
    if (!this.#known.has(id)) this.#refresh();
    return this.#known.get(id);
  }
}

/** Keys that never change. The first one seals. */
export const fixedKeys = (...secrets: string[]): Keyring =>
  new Keyring({ read: () => secrets, version: () => "as given" });
