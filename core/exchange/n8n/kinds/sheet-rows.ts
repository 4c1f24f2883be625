import type { Expressions } from "../flow.ts";

/**
 * Converts the rows of a Sheets API response to n8n's items. An item is an object with the names in the first row as
 * keys, and the number of its row. The API omits empty cells at the end of a row, and omits `values` if there are no
 * rows.
 */
export const rowsAsItems = ({ jsonata, js }: Expressions): Expressions => ({
  jsonata:
    `($rows := ${jsonata}.body.values; $names := $rows[0]; ` +
    '[$map($rows, function($row, $i) { $i > 0 and $count($row[$ != ""]) > 0 ? ' +
    '$merge([{"row_number": $i + 1}, $map($names, function($name, $j) { ' +
    '$name != "" ? {$string($name): $exists($row[$j]) ? $row[$j] : ""} })]) })])',
  js:
    "((rows, names = rows[0] ?? []) => rows.flatMap((row, i) => " +
    'i > 0 && row.some(cell => cell !== "") ? [Object.fromEntries([["row_number", i + 1], ' +
    '...names.flatMap((name, j) => (name === "" ? [] : [[String(name), row[j] ?? ""]]))])] : []))' +
    `(${js}.body?.values ?? [])`,
});
