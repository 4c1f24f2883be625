import { z } from "zod";
import { fileData } from "./file-data.ts";

/** The most rows that one step reads or writes. */
export const MAX_ROWS = 100_000;
const DEFAULT_ROWS = 10_000;
const MAX_SKIP = 10_000_000;
/** Excel's own limits. */
export const MAX_COLUMNS = 16_384;
const MAX_SHEETS = 100;
const SHEET_NAME_CHARS = 31;

/** What Excel accepts as the name of a sheet. */
const sheetName = z
  .string()
  .min(1)
  .max(SHEET_NAME_CHARS)
  .regex(/^[^[\]:*?/\\]+$/, "Must not have any of `[ ] : * ? / \\`")
  .refine(name => !name.startsWith("'") && !name.endsWith("'"), "Must not begin or end with an apostrophe");

const delimiter = z
  .string()
  .length(1)
  .refine(one => !/["\r\n]/.test(one), "Must not be a quote or a line break");

const rows = z.array(z.unknown()).max(MAX_ROWS);
const rowsOfSheets = z
  .record(z.string(), z.unknown())
  .refine(sheets => Object.keys(sheets).length > 0, "Must name a sheet")
  .refine(sheets => Object.keys(sheets).length <= MAX_SHEETS, `Must have at most ${MAX_SHEETS} sheets`)
  .pipe(z.record(sheetName, rows));

/** The data of a `spreadsheet` step. */
export const spreadsheet = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("read"),
    file: fileData,
    format: z.enum(["csv", "xlsx"]).optional(),
    sheet: z.union([z.string().min(1).max(200), z.int().min(1).max(10_000)]).optional(),
    range: z
      .string()
      .regex(/^[A-Za-z]{1,3}\d{0,7}:[A-Za-z]{1,3}\d{0,7}$/, "Expected a range such as `B2:D100` or `A:C`")
      .optional(),
    header: z.boolean().default(true),
    skip: z.int().min(0).max(MAX_SKIP).default(0),
    limit: z.int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS),
    convert: z.boolean().default(false),
    delimiter: delimiter.optional(),
    encoding: z
      .string()
      .max(40)
      .regex(/^[\w.:-]+$/, "Expected the name of an encoding, such as `windows-1252`")
      .optional(),
  }),
  z.object({
    action: z.literal("write"),
    rows: z.union([rows, rowsOfSheets], {
      error: ({ input }) =>
        typeof input === "object" && input !== null
          ? undefined
          : "Expected a list of rows, or an object with the list of each sheet",
    }),
    format: z.enum(["xlsx", "csv"]).default("xlsx"),
    name: z.string().min(1).max(200).default("table"),
    columns: z.array(z.string().max(1_000)).min(1).max(MAX_COLUMNS).optional(),
    sheet: sheetName.optional(),
    header: z.boolean().default(true),
    dates: z.boolean().default(true),
    delimiter: delimiter.optional(),
    bom: z.boolean().default(false),
    escapeFormulas: z.boolean().default(true),
  }),
]);
