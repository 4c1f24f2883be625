const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => ENTITIES[char]!);

/** Text in which backticks mark code. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** Cells are HTML already. */
export function table(heads: string[], rows: string[][]): string {
  const row = (cells: string[], tag: string) => `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${row(heads, "th")}</thead><tbody>${rows.map(cells => row(cells, "td")).join("\n")}</tbody></table>`;
}
