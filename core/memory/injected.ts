/**
 * Marks the memories that the service puts into a prompt, so that they are not remembered as statements of the user.
 */
const TAG = "weft-memory";

export const asInjected = (text: string): string => `<${TAG}>\n${text.replaceAll(`</${TAG}`, `< /${TAG}`)}\n</${TAG}>`;

const BLOCK = new RegExp(`<${TAG}\\b[^>]*>[\\s\\S]*?(?:</${TAG}\\s*>|$)`, "gi");

/** Blanks such blocks and keeps all offsets in the text. A block that is not closed extends to the end. */
export const withoutInjected = (text: string): string => text.replace(BLOCK, block => block.replace(/[^\n]/g, " "));
