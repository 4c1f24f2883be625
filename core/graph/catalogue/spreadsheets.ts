import { z } from "zod";
import { fileValue } from "../../../contracts/entities/file.ts";
import { MAX_ROWS } from "../spreadsheet-data.ts";
import { EXAMPLE_ID, type WordsOf } from "./words.ts";

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const row = z.union([z.record(z.string(), cell), z.array(cell)]);

const FORM = "Form of the file";

export const SPREADSHEETS: WordsOf<"spreadsheet"> = {
  spreadsheet: {
    category: "data",
    title: "Spreadsheet",
    summary: "Reads and writes CSV and Excel files.",
    docs: "Reads the rows of a CSV or XLSX [file](files.md), or writes rows to a new file.",
    icon: "file-spreadsheet",
    keywords: ["excel", "xlsx", "csv", "table", "rows", "sheet", "workbook", "tsv", "import", "export", "file"],
    fields: {
      action: { title: "Action", docs: "`read` or `write`" },
      file: { title: "File", docs: "for `read`: the [file](files.md), up to 32 MiB", widget: "expression" },
      rows: {
        title: "Rows",
        docs: "for `write`: a list of objects or of lists. For several sheets, an object with the list of each sheet by its name",
        widget: "expression",
      },
      format: { title: "Format", docs: "`xlsx` or `csv`. By default, `read` detects it from the content" },
      name: { title: "Name", docs: "for `write`: the name of the file. Weft adds a missing extension" },
      sheet: {
        title: "Sheet",
        docs: "for `read`: the name of a sheet, or its number from 1. The default is the first visible sheet. For `write`: the name of the sheet, by default `Sheet1`",
      },
      range: { title: "Range", docs: "for `read` of XLSX: a part of the sheet, such as `B2:D100` or `A:C`" },
      header: { title: "Names in the first row", docs: "the first row contains the names of the columns" },
      columns: {
        title: "Columns",
        docs: "for `write`: the names of the columns to write, in this order. The default is all columns",
      },
      skip: { title: "Rows to skip", docs: "for `read`: the number of rows to skip after the header" },
      limit: { title: "Maximum number of rows", docs: `for \`read\`: up to ${MAX_ROWS.toLocaleString("en")}` },
      convert: {
        title: "Convert values",
        docs: "for `read` of CSV: converts numbers, `true` and `false`, and turns empty values into null. Texts such as `007` stay texts",
        group: FORM,
      },
      dates: {
        title: "Write dates",
        docs: "for `write` of XLSX: columns that contain only ISO 8601 dates become dates",
        group: FORM,
      },
      delimiter: {
        title: "Delimiter",
        docs: "for CSV: one character. By default, `read` detects it from the first line, and `write` uses a comma",
        group: FORM,
      },
      encoding: {
        title: "Encoding",
        docs: "for `read` of CSV: the encoding, such as `windows-1252`. By default, that of the byte order mark, or UTF-8",
        group: FORM,
      },
      bom: {
        title: "Byte order mark",
        docs: "for `write` of CSV: starts the file with a byte order mark, by which Excel recognises UTF-8",
        group: FORM,
      },
      escapeFormulas: {
        title: "Escape formulas",
        docs: "for `write` of CSV: adds an apostrophe before texts that a spreadsheet program would run as formulas. In XLSX, texts are never formulas",
        group: FORM,
      },
    },
    output: z.union([
      z.object({
        rows: z.array(row),
        columns: z.array(z.string()),
        sheet: z.string().nullable(),
        sheets: z.array(z.string()),
        truncated: z.boolean(),
      }),
      z.object({ file: fileValue.nullable(), rows: z.int() }),
    ]),
    defaults: { action: "read", file: "{{ input.file }}" },
    examples: [
      {
        title: "Read a list of customers",
        data: {
          action: "read",
          file: { $file: { id: EXAMPLE_ID.file } },
          convert: true,
        },
        sample: {
          rows: [
            { name: "Ada", city: "London", orders: 7 },
            { name: "Grace", city: "New York", orders: 12 },
          ],
          columns: ["name", "city", "orders"],
          sheet: null,
          sheets: [],
          truncated: false,
        },
      },
      {
        title: "Write a report",
        data: { action: "write", format: "csv", name: "orders", rows: "{{ input.orders }}" },
        input: {
          orders: [
            { number: 7, customer: "Ada" },
            { number: 8, customer: "Grace" },
          ],
        },
        sample: {
          file: {
            $file: {
              id: "01890000-0000-7000-8000-000000000007",
              name: "orders.csv",
              type: "text/csv; charset=utf-8",
              size: 33,
              sha256: "da222373b639c588bd3e3da41aa05bc9d564aef581b1ba9ee572c9df192fd054",
            },
          },
          rows: 2,
        },
      },
    ],
  },
};
