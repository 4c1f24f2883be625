/** A part of n8n that has no certain counterpart in Weft. The message names it. */
export class Untranslatable extends Error {}

const MAX_SHOWN = 80;

/** A text, shortened for a message. */
export const shown = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
