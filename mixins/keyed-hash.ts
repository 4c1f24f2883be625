import { createHmac } from "node:crypto";

/**
 * HMAC-SHA-256 under one of the service's own keys. `purpose` keeps apart what is hashed for different ends, as one key of
 * its own each would.
 */
export const keyedHash = (key: string, purpose: string, data: Uint8Array | string): Buffer =>
  createHmac("sha256", key).update(`weft ${purpose}\0`).update(data).digest();
