/** The label of one part of a message. */
export interface PartLabel {
  sender: string;
  message: number;
  index: number;
  count: number;
}

interface Begun {
  message: number;
  chunks: Uint8Array[];
  bytes: number;
  at: number;
}

/** An incomplete message of a sender is dropped after this time. */
const STALE_MS = 10_000;
const LABEL = /^(\S+) (\d+) (\d+) (\d+)$/;

export const labelText = ({ sender, message, index, count }: PartLabel): string =>
  `${sender} ${message} ${index} ${count}`;

function readLabel(text: string): PartLabel | undefined {
  const [, sender, ...numbers] = LABEL.exec(text) ?? [];
  const [message, index, count] = numbers.map(Number);
  if (sender === undefined || message === undefined || index === undefined || count === undefined) return undefined;
  return { sender, message, index, count };
}

/** Cuts bytes into parts of at most `size`, without copying. */
export function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/**
 * Joins the parts of messages. A sender finishes one message before it starts the next, and parts arrive in order or
 * not at all. So at most one incomplete message per sender is kept.
 */
export class Parts {
  readonly #begun = new Map<string, Begun>();
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Adds a part. Returns the whole message if this was its last part. `now` is in milliseconds of a monotonic clock.
   */
  add(text: string, bytes: Uint8Array, now: number): Buffer | undefined {
    const label = readLabel(text);
    if (!label) return undefined;
    const { sender, message, index, count } = label;
    if (index === 0) this.#begin(sender, message, now);
    const begun = this.#begun.get(sender);
    if (begun?.message !== message || begun.chunks.length !== index) return undefined;
    begun.chunks.push(bytes);
    const size = (begun.bytes += bytes.length);
    if (size <= this.#maxBytes && index + 1 < count) return undefined;
    this.#begun.delete(sender);
    return size <= this.#maxBytes ? Buffer.concat(begun.chunks, size) : undefined;
  }

  clear(): void {
    this.#begun.clear();
  }

  #begin(sender: string, message: number, now: number): void {
    for (const [other, { at }] of this.#begun) if (now - at > STALE_MS) this.#begun.delete(other);
    this.#begun.set(sender, { message, chunks: [], bytes: 0, at: now });
  }
}
