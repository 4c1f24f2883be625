import { chain, imported, last, node } from "../support/n8n.ts";

it.each([
  [
    "convertToFile",
    { operation: "xlsx", options: { fileName: "a.xlsx", sheetName: "S" } },
    { format: "xlsx", name: "a.xlsx", sheet: "S" },
  ],
  [
    "convertToFile",
    { options: { delimiter: ";", headerRow: false } },
    { format: "csv", delimiter: ";", header: false },
  ],
  ["spreadsheetFile", { operation: "toFile", fileFormat: "csv" }, { format: "csv" }],
])("writes a file of all items for %s %j", (type, parameters, data) => {
  expect(last(node(type, parameters))).toMatchObject({ type: "spreadsheet" });
  expect(last(node(type, parameters)).data).toEqual({ action: "write", rows: "{{ [input] }}", ...data });
});

it.each([
  ["extractFromFile", { operation: "csv" }, { format: "csv" }, "data"],
  [
    "extractFromFile",
    { operation: "xlsx", binaryPropertyName: "list", options: { sheetName: "S", range: "A1:B9", headerRow: false } },
    { format: "xlsx", sheet: "S", range: "A1:B9", header: false },
    "list",
  ],
  ["spreadsheetFile", {}, {}, "data"],
])("reads the rows of a file for %s %j", (type, parameters, data, field) => {
  const { definition, warnings } = imported(chain(node("manualTrigger"), node(type, parameters), node("noOp")));
  const [, read, next] = definition.nodes;
  expect(read).toMatchObject({ type: "spreadsheet" });
  expect(read!.data).toEqual({ action: "read", file: `{{ input.${field} }}`, ...data });
  expect(next!.data).toEqual({ value: `{{ steps.${read!.id}.rows }}` });
  expect(warnings.map(({ message }) => message).join()).toContain("Look at `file`");
});

it("reports a format without a counterpart", () => {
  for (const [type, operation] of [
    ["extractFromFile", "pdf"],
    ["convertToFile", "ics"],
  ] as const)
    expect(last(node(type, { operation })).data.note).toContain(`a file of the kind "${operation}"`);
});
