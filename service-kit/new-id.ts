import { v7 } from "uuid";
import type { RequestLocals } from "../contracts/request.ts";

const ID_BYTES = 16;
/**
 * Random bytes for the next ids. Fetching a few bytes at a time from the system would take longer than creating the
 * ids.
 */
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;
let msecs = 0;
let seq = 0;

/** A new UUID of version 7. The ids of one process are ascending, also within a millisecond. */
function nextId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += ID_BYTES));
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    seq = new DataView(random.buffer, random.byteOffset + 6).getUint32(0) & 0x7fff_ffff;
  } else {
    seq = (seq + 1) | 0;
    if (seq === 0) msecs++;
  }
  return v7({ random, msecs, seq });
}

/**
 * The id for the object that an action creates. With an Idempotency-Key it is the same for every attempt. So an attempt
 * after an interrupted one finds the object of that one, and creates no duplicate.
 */
export const newId = ({ locals }: { locals: RequestLocals }): string => locals.newId ?? nextId();
