/**
 * Shortens a text to at most `max` UTF-16 units. A shortened text ends in an ellipsis, and no character is cut in two.
 */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
