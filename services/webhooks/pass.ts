import { isSameDigest, keyedHash } from "../../service-kit/keyed-hash.ts";

/** Longer than a body may take to arrive, with room for clocks that differ. */
const VALID_MS = 300_000;

const sign = (key: string, id: string, until: number) => keyedHash(key, "webhook pass", `${id} ${until}`);

/**
 * Proves for some minutes that a delivery to this webhook was admitted. A signature covers the whole body, and with a
 * pass the body is not sent and hashed twice.
 */
export function makePass(key: string, id: string): string {
  const until = Date.now() + VALID_MS;
  return `${until}.${sign(key, id, until).toString("base64url")}`;
}

export function isPass(key: string, id: string, pass: string): boolean {
  const [until = "", signature = ""] = pass.split(".");
  if (!/^\d{1,15}$/.test(until) || Number(until) < Date.now()) return false;
  const wanted = sign(key, id, Number(until));
  return isSameDigest(wanted, Buffer.from(signature, "base64url"));
}
