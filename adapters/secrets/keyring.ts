import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;
const ID_BYTES = 6;

/** HKDF-SHA-256 (RFC 5869): what is derived for one end tells nothing of the secret, nor of what is derived for another. */
const derive = (secret: string, end: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "", `weft ${end}`, bytes));

/** One secret, and what is derived from it. */
export class SealingKey {
  /** Eight characters that tell keys apart, and nothing of the secret. */
  readonly id: string;
  readonly secret: string;
  readonly #derived = new Map<string, Buffer>();

  constructor(secret: string) {
    this.secret = secret;
    this.id = derive(secret, "key id", ID_BYTES).toString("base64url");
  }

  /** The 256 bits for one purpose. */
  for(purpose: string): Buffer {
    let key = this.#derived.get(purpose);
    if (!key) this.#derived.set(purpose, (key = derive(this.secret, purpose, KEY_BYTES)));
    return key;
  }
}

export interface KeySource {
  /** The secrets, the one to seal with first. */
  read(): readonly string[];
  /** Another text once they may be others; asked often. */
  version(): string;
}

/**
 * The keys that this process knows: it seals with the first and opens with any. It looks at the source before each sealing,
 * so that once a rotation has put a new key there nothing is sealed under the former one. Keys that left the source still
 * open, as what was read before it left is opened after.
 */
export class Keyring {
  readonly #source: KeySource;
  readonly #known = new Map<string, SealingKey>();
  #first: SealingKey | undefined;
  #version: string | undefined;

  /** Throws what the source does. */
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

  /** The key to seal with. Throws what the source does: sealing under a key that was dropped would lose the text. */
  get first(): SealingKey {
    this.#refresh();
    if (!this.#first) throw new Error("There is no key to seal with");
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

/** Keys that stay as they are, the one to seal with first. */
export const fixedKeys = (...secrets: string[]): Keyring =>
  new Keyring({ read: () => secrets, version: () => "as given" });
