import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keyring, SealingKey } from "./keyring.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MARK = ".";

/** The id of the key that sealed a text. Null for texts from before keys had ids. */
export function keyIdOf(sealed: string): string | null {
  const end = sealed.indexOf(MARK);
  return end < 0 ? null : sealed.slice(0, end);
}

/** No known key opens the text. */
export class UnknownKeyError extends Error {
  override readonly name = "UnknownKeyError";

  constructor(id: string) {
    super(`It is sealed under the key ${id}, which is neither SECRETS_KEY nor one of SECRETS_KEYS_OLD`);
  }
}

/**
 * Encrypts texts at rest: AES-256-GCM (NIST SP 800-38D) with random nonces. Each purpose has its own key, derived from
 * one secret, so a text that is sealed for one purpose cannot be opened for another.
 */
export class Sealer {
  readonly #keyring: Keyring;
  readonly #purpose: string;

  constructor(keyring: Keyring, purpose: string) {
    this.#keyring = keyring;
    this.#purpose = purpose;
  }

  /**
   * Returns the id of the key, a dot, and the base64url of nonce, tag and ciphertext. `open` needs the same `context`.
   * For a document's field that is `sealedFor` a purpose, the context is the document's id.
   */
  seal(text: string, context: string): string {
    const key = this.#keyring.first;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.for(this.#purpose), nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return key.id + MARK + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  /**
   * Opens a sealed text.
   * @throws {UnknownKeyError} when no known key opens it.
   * @throws {Error} when it was sealed for another purpose or context, or was changed.
   */
  open(sealed: string, context: string): string {
    const id = keyIdOf(sealed);
    if (id === null) return this.#openByAny(sealed, context);
    const key = this.#keyring.find(id);
    if (!key) throw new UnknownKeyError(id);
    return this.#open(key, sealed.slice(id.length + 1), context);
  }

  #openByAny(sealed: string, context: string): string {
    let last: unknown;
    for (const key of this.#keyring.known) {
      try {
        return this.#open(key, sealed, context);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  #open(key: SealingKey, body: string, context: string): string {
    const bytes = Buffer.from(body, "base64url");
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, key.for(this.#purpose), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  }
}
