import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { Json } from "./api.ts";

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/** Encodes CBOR (RFC 8949), as far as attestations need it. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

const PRESENT = 1;
const VERIFIED = 4;
const WITH_KEY = 64;

interface Told {
  origin?: string;
  host?: string;
  /** True if the authenticator did not verify the person. */
  unverified?: boolean;
  counter?: number;
  challenge?: string;
}

/** An authenticator without a person. It holds one passkey, and sends the false data that it is told. */
export class Authenticator {
  readonly #site: { origin: string; host: string };
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly id = randomBytes(16);
  #userHandle = "";
  counter = 0;

  constructor(url: string) {
    const { origin, hostname: host } = new URL(url);
    this.#site = { origin, host };
  }

  #data(
    { host = this.#site.host, unverified = false, counter = ++this.counter }: Told,
    more = Buffer.alloc(0),
  ): Buffer {
    const flags = PRESENT | (unverified ? 0 : VERIFIED) | (more.length > 0 ? WITH_KEY : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, more]);
  }

  #client(type: string, options: Json, { origin = this.#site.origin, challenge = options.challenge as string }: Told) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #credential(response: object) {
    const id = base64(this.id);
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }

  /** A browser's response to options for creating a passkey. */
  create(options: Json, told: Told = {}): object {
    this.#userHandle = options.user.id as string;
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const key = new Map<unknown, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const authData = this.#data(told, Buffer.concat([Buffer.alloc(16), length, this.id, cbor(key)]));
    const attestation = new Map<unknown, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return this.#credential({
      clientDataJSON: base64(this.#client("webauthn.create", options, told)),
      attestationObject: base64(cbor(attestation)),
      transports: ["internal"],
    });
  }

  /** A browser's response to options for using a passkey. */
  use(options: Json, told: Told = {}): object {
    const authenticatorData = this.#data(told);
    const client = this.#client("webauthn.get", options, told);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(client)]), this.#keys.privateKey);
    return this.#credential({
      clientDataJSON: base64(client),
      authenticatorData: base64(authenticatorData),
      signature: base64(signature),
      userHandle: this.#userHandle,
    });
  }
}
