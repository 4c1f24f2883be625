/** The name and address of a sender or recipient. */
export interface Mailbox {
  /** Empty if none is given. */
  name: string;
  address: string;
}

const MAX_CHARS = 400;
/** Excludes the characters that separate lists, comments and names in a header. */
const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}@<>()[\]\\,;:"]{1,255}$/u;
const NAMED = /^([^<>\p{Cc}]*)<([^<>\p{Cc}]+)>$/u;

/**
 * Reads `ada@example.com` or `Ada Lovelace <ada@example.com>`: exactly one mailbox. Undefined for anything else, such as a
 * list, or a text with a line break.
 */
export function readMailbox(text: string): Mailbox | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const whole = text.trim();
  const [, before = "", address = whole] = NAMED.exec(whole) ?? [];
  if (!ADDRESS.test(address.trim())) return undefined;
  return { name: before.trim().replace(/^"(.*)"$/, "$1"), address: address.trim() };
}
