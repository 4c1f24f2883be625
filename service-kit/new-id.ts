import { v7 } from "uuid";
import type { RequestLocals } from "../contracts/request.ts";

const ID_BYTES = 16;
/** Random bytes for the next ids. The system takes longer to give a few than to make an id of them. */
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;
let msecs = 0;
let seq = 0;

/** A new UUID of version 7. Those of one process ascend, also within a millisecond. */
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
 * The id for what an action creates. With an Idempotency-Key it is the same for every attempt, so an attempt after an
 * interrupted one finds what that one created, and creates no duplicate.
 */
export const newId = ({ locals }: { locals: RequestLocals }): string => locals.newId ?? nextId();
