import { openXlsx } from "../spreadsheets/read-xlsx.ts";
import type { Cell } from "../spreadsheets/messages.ts";
import type { Section } from "./messages.ts";
import { TableText } from "./table-text.ts";

const textOf = (cell: Cell): string => (cell === null ? "" : String(cell).trim());

/**
 * The visible sheets of a workbook, one section for each. A section's title is the name of its sheet. The first row
 * with values names the columns.
 * @throws {DocumentError} when the file is no workbook, or exceeds a limit
 */
export async function xlsxSections(bytes: Uint8Array): Promise<Section[]> {
  const workbook = await openXlsx(bytes);
  const sections: Section[] = [];
  for (const [place, { name, hidden }] of workbook.sheets.entries()) {
    if (hidden) continue;
    let table: TableText | undefined;
    for await (const { cells } of workbook.rows(place)) {
      const values = cells.map(textOf);
      if (values.every(value => value === "")) continue;
      if (table) table.add(values);
      else table = new TableText(values);
    }
    if (table) sections.push({ text: table.toString(), title: name });
  }
  return sections;
}
