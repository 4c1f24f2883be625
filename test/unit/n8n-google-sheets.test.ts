import jsonata from "jsonata";
import type { Json } from "../support/api.ts";
import { chain, imported, last, node } from "../support/n8n.ts";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz012345";
const documentId = { __rl: true, mode: "list", value: ID, cachedResultName: "CRM" };
const sheetName = { __rl: true, mode: "list", value: "gid=0", cachedResultName: "Leads" };
const credentials = { googleSheetsOAuth2Api: { id: "7", name: "Office sheets" } };
const wanted = { $credential: { name: "Office sheets", type: "oauth2_code" } };
const VALUES = `https://sheets.googleapis.com/v4/spreadsheets/${ID}/values`;

const sheets = (parameters: object, more: object = {}): Json =>
  node("googleSheets", { documentId, sheetName, ...parameters }, { credentials, typeVersion: 4.5, ...more });
const columns = (value: object, matchingColumns: string[] = [], ids = ["Name", "Mail", "Score"]) => ({
  columns: { mappingMode: "defineBelow", value, matchingColumns, schema: ids.map(id => ({ id, displayName: id })) },
});

it.each<[string, Json, object]>([
  [
    "reads a sheet",
    sheets({}),
    {
      method: "GET",
      url: `${VALUES}/'Leads'`,
      query: { valueRenderOption: "UNFORMATTED_VALUE", dateTimeRenderOption: "FORMATTED_STRING" },
    },
  ],
  [
    "reads a range of a sheet by its name, formatted",
    sheets({
      documentId: { mode: "url", value: `https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0` },
      sheetName: { mode: "name", value: "Ada's list" },
      options: {
        dataLocationOnSheet: { values: { rangeDefinition: "specifyRangeA1", range: "B2:D" } },
        outputFormatting: { values: { general: "FORMATTED_VALUE", date: "SERIAL_NUMBER" } },
      },
    }),
    {
      method: "GET",
      url: `${VALUES}/'Ada''s%20list'!B2%3AD`,
      query: { valueRenderOption: "FORMATTED_VALUE", dateTimeRenderOption: "SERIAL_NUMBER" },
    },
  ],
  [
    "reads a computed sheet",
    sheets({
      documentId: { mode: "id", value: "={{ $json.doc }}" },
      sheetName: { mode: "name", value: "={{ $json.s }}" },
    }),
    {
      method: "GET",
      url:
        "https://sheets.googleapis.com/v4/spreadsheets/{{ $encodeUrlComponent($string(input.doc)) }}/values/" +
        `'{{ $encodeUrlComponent($string($replace($string(input.s), "'", "''"))) }}'`,
      query: { valueRenderOption: "UNFORMATTED_VALUE", dateTimeRenderOption: "FORMATTED_STRING" },
    },
  ],
  [
    "appends a row, by the order of the columns",
    sheets({ operation: "append", ...columns({ Mail: "={{ $json.mail }}", Name: "{{ x }}" }) }),
    {
      method: "POST",
      url: `${VALUES}/'Leads'!A%3AZ:append`,
      query: { valueInputOption: "USER_ENTERED", insertDataOption: "INSERT_ROWS" },
      body: { values: [['{{ "{{" }} x }}', "{{ input.mail }}"]] },
    },
  ],
  [
    "appends where there is no value to find a row by",
    sheets({ operation: "appendOrUpdate", ...columns({ Score: 3, Name: null }, ["Name"]) }, { typeVersion: 4 }),
    {
      method: "POST",
      url: `${VALUES}/'Leads'!A%3AZ:append`,
      query: { valueInputOption: "RAW", insertDataOption: "INSERT_ROWS" },
      body: { values: [["", null, 3]] },
    },
  ],
  [
    "updates a row by its number",
    sheets({
      operation: "update",
      options: { cellFormat: "RAW" },
      ...columns({ row_number: "={{ $json.row }}", Mail: "a@example.com" }, ["row_number"]),
    }),
    {
      method: "PUT",
      url: `${VALUES}/'Leads'!A{{ $encodeUrlComponent($string(input.row)) }}%3AB{{ $encodeUrlComponent($string(input.row)) }}`,
      query: { valueInputOption: "RAW" },
      body: { values: [[null, "a@example.com"]] },
    },
  ],
  [
    "updates a wide sheet",
    sheets({
      operation: "update",
      ...columns(
        { row_number: 4, c27: 1 },
        ["row_number"],
        Array.from({ length: 30 }, (_, i) => `c${i}`),
      ),
    }),
    {
      method: "PUT",
      url: `${VALUES}/'Leads'!A4%3AAB4`,
      query: { valueInputOption: "USER_ENTERED" },
      body: { values: [[...Array<null>(27).fill(null), 1]] },
    },
  ],
])("turns a node that %s into a call of the API", (_, given, data) => {
  expect(last(given)).toMatchObject({ type: "http" });
  expect(last(given).data).toEqual({ credential: wanted, ...data });
});

it.each<[string, Json, string]>([
  ["another operation", sheets({ operation: "clear" }), '"sheet clear"'],
  ["another resource", sheets({ resource: "spreadsheet", operation: "create" }), '"spreadsheet create"'],
  [
    "appendOrUpdate of a row that may be there",
    sheets({ operation: "appendOrUpdate", ...columns({ Name: "Ada" }, ["Name"]) }),
    '"appendOrUpdate"',
  ],
  ["an update by a value", sheets({ operation: "update", ...columns({ Name: "Ada" }, ["Name"]) }), '"update"'],
  ["an update without a row", sheets({ operation: "update", ...columns({ Name: "A" }, ["row_number"]) }), "number"],
  ["columns of the input", sheets({ operation: "append", columns: { mappingMode: "autoMapInputData" } }), "fields"],
  ["columns without an order", sheets({ operation: "append", columns: { value: { a: 1 } } }), "order"],
  ["a column that is gone", sheets({ operation: "append", ...columns({ Gone: 1 }) }), "`Gone`"],
  ["a filter", sheets({ filtersUI: { values: [{ lookupColumn: "Name", lookupValue: "Ada" }] } }), "filter"],
  ["a sheet by its id", sheets({ sheetName: { mode: "id", value: "123" } }), "name is not known"],
  ["a sheet by a computed id", sheets({ sheetName: { ...sheetName, value: "={{ $json.gid }}" } }), "name is not known"],
  ["a computed address", sheets({ documentId: { mode: "url", value: "={{ $json.url }}" } }), "as an expression"],
  ["an early version", sheets({}, { typeVersion: 2 }), "first versions"],
])("names parts without a counterpart: %s", (_, given, reason) => {
  const { definition, faults } = imported(chain(node("manualTrigger"), given));
  const kept = definition.nodes.at(-1)!;
  expect(kept.data.note).toContain(reason);
  expect(faults).toEqual({ [kept.id]: "/type" });
});

it("asks for a credential of the node's kind", () => {
  const { warnings, definition } = imported(
    chain(node("manualTrigger"), sheets({ authentication: "serviceAccount" }, { credentials: undefined })),
  );
  expect(definition.nodes[1]!.data.credential).toEqual({ $credential: { name: expect.any(String), type: "jwt" } });
  expect(warnings.map(({ message }) => message).join()).toContain("credential of the type `jwt`");
});

describe("the rows that are read", () => {
  const answers: [string, unknown[][] | undefined, object[]][] = [
    [
      "with gaps",
      [["Name", "", "Score"], ["Ada", "x", 1], [], ["Bob"], ["", "", ""], ["", "", 0], ["Eve", "", false]],
      [
        { row_number: 2, Name: "Ada", Score: 1 },
        { row_number: 4, Name: "Bob", Score: "" },
        { row_number: 6, Name: "", Score: 0 },
        { row_number: 7, Name: "Eve", Score: false },
      ],
    ],
    ["of one column", [["Name"], ["Ada"]], [{ row_number: 2, Name: "Ada" }]],
    ["of the names alone", [["Name", "Score"]], []],
    ["of an empty sheet", undefined, []],
  ];

  it.each(answers)("equal n8n's items: %s", async (_, values, items) => {
    const code = node("code", { jsCode: "return $input.all();" }, { typeVersion: 2 });
    const { definition } = imported(chain(node("manualTrigger"), sheets({}), node("noOp"), code));
    const [, read, passed, coded] = definition.nodes;
    const steps = { [read!.id]: { body: values ? { values } : {} } };
    const expression = /^\{\{ (.*) \}\}$/s.exec(passed!.data.value as string)![1]!;
    const found = (await jsonata(expression).evaluate({ steps })) as object[];
    expect(JSON.parse(JSON.stringify(found))).toEqual(items);
    expect(coded!.type).toBe("code");
  });

  it.each(answers)("are the same for code: %s", (_, values, items) => {
    const code = node("code", { jsCode: "return $input.all();" }, { typeVersion: 2 });
    const { definition } = imported(chain(node("manualTrigger"), sheets({}), code));
    const [, read, coded] = definition.nodes;
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the code that the import wrote
    const run = new Function("steps", coded!.data.code as string) as (steps: object) => unknown;
    const found = JSON.stringify(run({ [read!.id]: { body: values ? { values } : {} } }));
    for (const item of items) expect(found).toContain(JSON.stringify(item));
  });
});

it("gives the reason if a later node needs the written row", () => {
  const next = node("set", { values: { string: [{ name: "a", value: "={{ $json.Name }}" }] } });
  expect(last(sheets({ operation: "append", ...columns({ Name: "Ada" }) }), next).data.note).toContain("row that was");
});
