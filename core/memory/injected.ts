/** Stands around what the service itself puts into a prompt, so that it is not remembered as if somebody had said it. */
const TAG = "weft-memory";

export const asInjected = (text: string): string => `<${TAG}>\n${text.replaceAll(`</${TAG}`, `< /${TAG}`)}\n</${TAG}>`;

const BLOCK = new RegExp(`<${TAG}\\b[^>]*>[\\s\\S]*?(?:</${TAG}\\s*>|$)`, "gi");

/** The text with such blocks blank, so that places in it stay the same. One that is not closed goes to the end. */
export const withoutInjected = (text: string): string => text.replace(BLOCK, block => block.replace(/[^\n]/g, " "));
