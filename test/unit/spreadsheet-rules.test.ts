import fc from "fast-check";
import { convertText } from "../../adapters/spreadsheets/read-csv.ts";
import { partOf } from "../../adapters/spreadsheets/range.ts";
import { NODE_TYPES } from "../../core/graph/node-types.ts";
import { linesOf } from "../../core/spreadsheets/cells.ts";
import { csvLine, withoutFormula } from "../../core/spreadsheets/csv-lines.ts";
import { dateColumns } from "../../core/spreadsheets/date-columns.ts";

const form = { delimiter: ",", escapeFormulas: true };

test.each([
  "=1+1",
  "+1+1",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1",
  "-1-1",
  "+-1",
  "=",
  "-",
])("does not run the text %j as a formula", text => {
  expect(withoutFormula(text)).toBe(`'${text}`);
  expect(
    csvLine([text], { ...form, escapeFormulas: false })
      .replaceAll('"', "")
      .startsWith("'"),
  ).toBe(false);
});

test("keeps numbers, and texts that are plain numbers", () => {
  expect(csvLine([-1.5, "-1.5", "+49", "1-1", "a=b", "", null, true, "'x"], form)).toBe(
    "-1.5,-1.5,+49,1-1,a=b,,,true,'x\r\n",
  );
});

test("starts no field with a formula, wherever a program splits the line", () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "a", ",", ";", "\t", '"', "|", "\n") }));
  fc.assert(
    fc.property(texts, cells => {
      // Quoted fields are not split.
      const plain = csvLine(cells, form).replace(/"(?:[^"]|"")*"/g, quoted =>
        /^"[=+\-@\t\r]/.test(quoted) ? "=" : "q",
      );
      for (const part of plain.trimEnd().split(/[,;\t|]/)) expect(part).not.toMatch(/^[=+\-@]/);
    }),
  );
});

test("turns rows of any form into lines", () => {
  const rows = [{ a: 1, b: { c: 1 } }, { b: "x", d: undefined }, [1, null], "text", null];
  expect([...linesOf(rows, { header: true })]).toEqual([
    ["a", "b", "d"],
    [1, '{"c":1}', null],
    [null, "x", null],
    [1, null],
    ["text"],
    [null],
  ]);
  expect([...linesOf([{ a: 1, b: 2 }], { columns: ["b", "toString"], header: false })]).toEqual([[2, null]]);
  expect([...linesOf([[1, 2]], { header: true })]).toEqual([[1, 2]]);
});

test("makes a column one of dates if all its values are dates", () => {
  const lines = [
    ["h", "h", "h", "h", "h"],
    ["2026-05-01", "2026-05-01T09:30:00Z", "2026-05-01", "2026-02-30", "0001-01-01"],
    [null, "2026-05-01", "soon", "", null],
  ];
  expect(dateColumns(lines, 1)).toEqual(["date", "time", null, null, null]);
});

test("names a part of a sheet as Excel does", () => {
  expect(partOf("B2:AA10")).toEqual({ top: 1, bottom: 9, left: 1, right: 26 });
  expect(partOf("c9:A1")).toEqual({ top: 0, bottom: 8, left: 0, right: 2 });
  expect(partOf("A2:C")).toEqual({ top: 1, bottom: Infinity, left: 0, right: 2 });
});

test.each([
  ["12", 12],
  ["-0.5e3", -500],
  ["007", "007"],
  ["+1", "+1"],
  ["1234567890123456", "1234567890123456"],
  ["1e999", "1e999"],
  [" true ", true],
  ["", null],
  ["NaN", "NaN"],
])("reads the text %j as %j", (text, value) => {
  expect(convertText(text)).toBe(value);
});

test.each([
  [{ action: "write", rows: { "a/b": [] } }],
  [{ action: "write", rows: { [`${"n".repeat(32)}`]: [] } }],
  [{ action: "write", rows: {} }],
  [{ action: "write", rows: "x" }],
  [{ action: "write", rows: [], sheet: "'a" }],
  [{ action: "write", rows: [], delimiter: '"' }],
  [{ action: "read", file: "a.csv" }],
  [{ action: "read", file: { $file: { id: "01890000-0000-7000-8000-000000000000" } }, range: "1:2" }],
  [{ action: "read", file: { $file: { id: "01890000-0000-7000-8000-000000000000" } }, limit: 100_001 }],
])("rejects %j as data of a step", data => {
  expect(NODE_TYPES.spreadsheet.data.safeParse(data).success).toBe(false);
});
