import { csvCell, csvOf } from "../../console/data/audit-csv.ts";

describe("a CSV file of the audit log", () => {
  it.each([
    ["plain", "plain"],
    ["a, b", '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ["=1+1", "'=1+1"],
    ["two\nlines", '"two\nlines"'],
  ])("writes %j as %j", (value, cell) => expect(csvCell(value)).toBe(cell));

  it("has a line of names, and ends each line as RFC 4180 says", () => {
    expect(csvOf([])).toMatch(/^at,actorName,.*requestId\r\n$/);
  });
});
