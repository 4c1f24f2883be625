import { createHmac } from "node:crypto";

/**
 * HMAC-SHA-256 under one of the service's own keys. `purpose` separates hashes for different ends as separate keys
 * would.
 */
export const keyedHash = (key: string, purpose: string, data: Uint8Array | string): Buffer =>
  createHmac("sha256", key).update(`weft ${purpose}\0`).update(data).digest();
