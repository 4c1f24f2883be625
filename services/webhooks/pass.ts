import { isSameDigest, keyedHash } from "../../service-kit/keyed-hash.ts";

/** Longer than a body may take to arrive, plus the difference of the nodes' clocks. */
const VALID_MS = 300_000;

const sign = (key: string, id: string, until: number) => keyedHash(key, "webhook pass", `${id} ${until}`);

/**
 * Creates a pass. For some minutes it proves that a delivery to this webhook was authenticated. A signature covers the
 * whole body, so without a pass the body would be sent and hashed twice.
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
