import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { download, upload, valueOf } from "../support/files.ts";
import { BILLION_LAUGHS, workbook } from "../support/office.ts";
import { sharedServer } from "../support/shared.ts";

let api: Api;
let workspaceId: string;
let space: string;
beforeAll(async () => {
  const server = await sharedServer();
  ({ api, workspaceId, space } = await newWorkspace(server.url));
});

const ONCE = { policy: { retry: { maxAttempts: 1 } } };
const run = (data: object, input: unknown = null) =>
  runToEnd(api, space, definition([node("a", "spreadsheet", data, ONCE)]), input);
const uploaded = async (bytes: Uint8Array<ArrayBuffer> | string, name: string) =>
  valueOf((await upload(api, workspaceId, bytes, { name, type: "application/octet-stream" })).body);
const contentOf = async (id: string) => (await download(api, workspaceId, id)).bytes;

const rows = [
  { name: "Größe 日本", day: "2026-05-01", at: "2026-05-01T09:30:00.000Z", n: 0.5, ok: true, more: [1] },
  { name: "=HYPERLINK(1)", n: -3, extra: 'a "b"\nc' },
];

test("writes rows to a workbook, which the next step reads", async () => {
  const steps = definition(
    [
      node("write", "spreadsheet", { action: "write", name: "report", sheet: "May", rows: "{{ input }}" }),
      node("read", "spreadsheet", { action: "read", file: "{{ steps.write.file }}" }),
    ],
    "write > read",
  );
  const { status, output, error } = await runToEnd(api, space, steps, rows);
  expect({ status, error }).toEqual({ status: "completed", error: null });
  const columns = ["name", "day", "at", "n", "ok", "more", "extra"];
  expect(output).toEqual({
    rows: [
      { ...rows[0], day: "2026-05-01T00:00:00.000Z", more: "[1]", extra: null },
      { ...rows[1], day: null, at: null, ok: null, more: null },
    ],
    ...{ columns, sheet: "May", sheets: ["May"], truncated: false },
  });
});

test("writes a workbook with several sheets", async () => {
  const given = { One: [{ a: 1 }], Two: [["x", "y"]] };
  const { output } = await run({ action: "write", rows: "{{ input }}", columns: ["a"], header: false }, given);
  expect(output).toMatchObject({ rows: 2, file: { $file: { name: "table.xlsx" } } });
  const read = await run({ action: "read", file: "{{ input }}", sheet: 2, header: false }, output.file);
  expect(read.output).toMatchObject({ sheets: ["One", "Two"], sheet: "Two", rows: [["x", "y"]], columns: [] });
});

test("writes CSV without formulas, unless they are requested", async () => {
  const { output } = await run({ action: "write", format: "csv", name: "a.csv", rows: "{{ input }}" }, rows);
  expect(output).toMatchObject({ rows: 2, file: { $file: { name: "a.csv", type: "text/csv; charset=utf-8" } } });
  expect((await contentOf(output.file.$file.id as string)).toString()).toBe(
    "name,day,at,n,ok,more,extra\r\nGröße 日本,2026-05-01,2026-05-01T09:30:00.000Z,0.5,true,[1],\r\n" +
      `'=HYPERLINK(1),,,-3,,,"a ""b""\nc"\r\n`,
  );
  const raw = { action: "write", format: "csv", rows: "{{ input }}", columns: ["name", "n"] };
  const asked = await run({ ...raw, escapeFormulas: false, bom: true, delimiter: ";" }, [rows[1]]);
  expect((await contentOf(asked.output.file.$file.id as string)).toString()).toBe(
    "\uFEFFname;n\r\n=HYPERLINK(1);-3\r\n",
  );
});

test("reads and writes a large CSV file in parts", async () => {
  const lines = Array.from({ length: 120_000 }, (_, n) => `${n},customer ${n}`);
  const file = await uploaded(`n,name\n${lines.join("\n")}\n`, "large.csv");
  const part = { action: "read", file: "{{ input }}", convert: true, skip: 100_000, limit: 50_000 };
  const { output } = await run(part, file);
  expect([output.rows.length, output.rows[0], output.truncated]).toEqual([
    20_000,
    { n: 100_000, name: "customer 100000" },
    false,
  ]);
  const both = definition(
    [
      node("r", "spreadsheet", { action: "read", file: "{{ input }}", limit: 60_000 }),
      node("w", "spreadsheet", { action: "write", format: "csv", rows: "{{ steps.r.rows }}" }),
    ],
    "r > w",
  );
  const written = await runToEnd(api, space, both, file);
  const text = (await contentOf(written.output.file.$file.id as string)).toString();
  expect(text).toBe(["n,name", ...lines.slice(0, 60_000), ""].join("\r\n"));
});

test("says what is wrong with a file", async () => {
  const read = async (file: object, more: object = {}) =>
    (await run({ action: "read", file: "{{ input }}", ...more }, file)).error as { code: string; message: string };
  const bomb = workbook([{ name: "S", rows: "" }], { declaration: BILLION_LAUGHS });
  expect(await read(await uploaded(bomb, "a.xlsx"))).toMatchObject({ code: "file_unreadable" });
  const fine = await uploaded(workbook([{ name: "S", rows: "" }]), "a.xlsx");
  expect(await read(fine, { sheet: "T" })).toMatchObject({
    code: "sheet_not_found",
    message: 'The workbook has no sheet "T". It has "S".',
  });
  expect(await read(await uploaded("x".repeat(33 * 1_048_576), "a.csv"))).toMatchObject({ code: "file_too_large" });
  const none = { $file: { ...fine.$file, id: "01890000-0000-7000-8000-000000000000" } };
  expect(await read(none)).toMatchObject({ code: "invalid_data", message: "/data/file: the file does not exist." });
  const elsewhere = await newWorkspace(api.url);
  const theirs = await upload(elsewhere.api, elsewhere.workspaceId, "a,b", { name: "a.csv" });
  expect(await read(valueOf(theirs.body))).toMatchObject({ code: "invalid_data" });
  for (const [sheets, more] of [
    [{ A: [], a: [] }, {}],
    [{ A: [], B: [] }, { format: "csv" }],
    [{ A: [["x".repeat(40_000)]] }, {}],
    [{ A: [Array.from({ length: 16_385 }, () => 1)] }, {}],
    // Each row has a column of its own: 256 million cells.
    [{ A: Array.from({ length: 16_000 }, (_, at) => ({ [`column ${at}`]: 1 })) }, {}],
  ] as const) {
    const { error } = await run({ action: "write", rows: "{{ input }}", ...more }, sheets);
    expect(error).toMatchObject({ code: "invalid_data", message: expect.stringMatching(/^\/data\/rows/) as string });
  }
});

test.each([
  [{ action: "read", file: "{{ input }}" }, /^\/data\/file: Expected a file/],
  [{ action: "write", rows: "{{ input }}" }, /^\/data\/rows: Expected a list of rows, or/],
])("rejects a value of another kind, and says what it expects: %j", async (data, message) => {
  for (const input of [null, "text"])
    expect((await run(data, input)).error).toMatchObject({
      ...{ code: "invalid_data", message: expect.stringMatching(message) as string },
    });
});

test("writes no file in a test of the step", async () => {
  const files = async () => (await api.get(`/v1/workspaces/${workspaceId}/files`)).body.length as number;
  const before = await files();
  const step = node("a", "spreadsheet", { action: "write", rows: [[1]] });
  const id = await newWorkflow(api, space, definition([step]));
  const tried = await api.post(`${space}/workflows/${id}/test`, { nodeId: "a" });
  expect(tried).toMatchObject({ status: 200, body: { outcome: "completed", output: { file: null, rows: 1 } } });
  expect(await files()).toBe(before);
});
