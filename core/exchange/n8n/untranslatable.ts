/** Something of n8n that cannot be said here, or not surely; the message says what. */
export class Untranslatable extends Error {}

const MAX_SHOWN = 80;

/** A text as a message shows it. */
export const shown = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
