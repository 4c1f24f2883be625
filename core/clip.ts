/** A text of at most `max` UTF-16 units; a longer one ends in an ellipsis, and no character is cut in two. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
