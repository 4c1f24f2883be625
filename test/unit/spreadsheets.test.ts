import { createSpreadsheets, type ReadOptions } from "../../adapters/spreadsheets/index.ts";
import { BILLION_LAUGHS, compoundFile, EXTERNAL_ENTITY, workbook } from "../support/office.ts";
import { zip } from "../support/zip.ts";

const spreadsheets = createSpreadsheets();
afterAll(() => spreadsheets.close());

const turn = () => ({ group: "a workspace", signal: new AbortController().signal });
const ALL: ReadOptions = { header: true, skip: 0, limit: 10_000, convert: false, maxChars: 16 * 1_048_576 };
const read = (bytes: Uint8Array | string, options: Partial<ReadOptions> = {}) => {
  const given = Buffer.from(bytes as string);
  // eslint-disable-next-line @typescript-eslint/require-await -- a file gives its bytes as they are read
  const open = async function* () {
    yield given;
  };
  return spreadsheets.read({ size: given.length, open }, { ...ALL, ...options }, turn());
};
const sheet = (rows: string, more: object = {}) => workbook([{ name: "S", rows }], more);
const text = (value: string, at = "A1") => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;

describe("a workbook", () => {
  it("returns what Excel stores: shared and rich texts, numbers, booleans, dates, errors and values of formulas", async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c>' +
      '<c r="D1" t="inlineStr"><is><t>d</t></is></c><c r="E1" t="s"><v>2</v></c><c r="F1" t="s"><v>3</v></c></row>' +
      '<row r="2"><c r="A2"><v>1.5</v></c><c r="B2" t="b"><v>1</v></c><c r="C2"><f>A2*2</f><v>3</v></c>' +
      '<c r="D2" s="1"><v>45000</v></c><c r="E2" s="2"><v>45000.5</v></c><c r="F2" t="e"><v>#DIV/0!</v></c></row>' +
      '<row r="5"><c r="A5"><v>-7</v></c><c r="F5" t="s"><v>4</v></c></row><row r="6"><c r="B6" s="1"/></row>';
    const shared = [
      "<t>größe</t>",
      "<r><t>ri</t></r><r><t>ch</t></r>",
      "<t>日本</t>",
      "<t>🔔 &lt;b&gt;</t>",
      "<t> x </t>",
    ];
    expect(await read(sheet(rows, { shared }))).toEqual({
      columns: ["größe", "rich", "ab", "d", "日本", "🔔 <b>"],
      rows: [
        [1.5, true, 3, "2023-03-15T00:00:00.000Z", "2023-03-15T12:00:00.000Z", "#DIV/0!"],
        [-7, null, null, null, null, " x "],
      ],
      sheet: "S",
      sheets: ["S"],
      truncated: false,
    });
    const since1904 = sheet('<row r="1"><c r="A1" s="1"><v>0</v></c></row>', { date1904: true });
    expect((await read(since1904, { header: false })).rows).toEqual([["1904-01-01T00:00:00.000Z"]]);
  });

  it("has several sheets, of which a hidden one is read only by name, and merged cells have their value once", async () => {
    const after = '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>';
    const file = workbook([
      { name: "Secret", hidden: true, rows: `<row r="1">${text("s")}</row>` },
      { name: "Two", rows: `<row r="1">${text("m")}<c r="B1"/>${text("c", "C1")}</row>`, after },
    ]);
    const { rows, sheet: named, sheets } = await read(file, { header: false });
    expect([rows, named, sheets]).toEqual([[["m", null, "c"]], "Two", ["Secret", "Two"]]);
    expect((await read(file, { sheet: "Secret", header: false })).rows).toEqual([["s"]]);
    expect((await read(file, { sheet: 1, header: false })).rows).toEqual([["s"]]);
    for (const wanted of ["None", 3])
      await expect(read(file, { sheet: wanted })).rejects.toMatchObject({ code: "sheet_not_found" });
  });

  it("can be read in parts: a range, rows to skip and a limit", async () => {
    const line = (r: number) =>
      `<row r="${r}">${["A", "B", "C"].map(c => text(`${c}${r}`, `${c}${r}`)).join("")}</row>`;
    const file = sheet([1, 2, 3, 4, 5].map(line).join(""));
    const part = await read(file, { range: "b2:C4" });
    expect([part.columns, part.rows]).toEqual([
      ["B2", "C2"],
      [
        ["B3", "C3"],
        ["B4", "C4"],
      ],
    ]);
    expect((await read(file, { range: "C:C", header: false })).rows).toHaveLength(5);
    const some = await read(file, { skip: 1, limit: 2 });
    expect([some.rows.map(([a]) => a), some.truncated]).toEqual([["A3", "A4"], true]);
    expect((await read(file, { skip: 2, limit: 2 })).truncated).toBe(false);
  });

  it("gets a unique name for each column", async () => {
    const rows = `<row r="1">${text("a")}${text("a", "B1")}<c r="C1"/>${text("__proto__", "D1")}</row><row r="2">${text("x", "F2")}</row>`;
    expect((await read(sheet(rows))).columns).toEqual(["a", "a_2", "field3", "field4", "field5", "field6"]);
  });
});

describe("a hostile file is refused", () => {
  it.each([
    ["entities that unfold", sheet(`<row r="1">${text("&lol9;")}</row>`, { declaration: BILLION_LAUGHS })],
    ["an external entity", sheet(`<row r="1">${text("&lol9;")}</row>`, { declaration: EXTERNAL_ENTITY })],
    ["a path that leaves the archive", sheet("", { more: [{ name: "../../etc/passwd", data: "x" }] })],
    ["an absolute path", sheet("", { more: [{ name: "/etc/passwd", data: "x" }] })],
    ["a truncated file", sheet("").subarray(0, 900)],
    ["no spreadsheet", zip([{ name: "a.txt", data: "x" }])],
    ["a workbook without its parts", zip([{ name: "xl/workbook.xml", data: "<x/>" }])],
    ["a workbook before 2007", compoundFile("Workbook")],
    [
      "a size that is not true",
      sheet("", { more: [{ name: "xl/a.xml", data: "x".repeat(5_000), says: { size: 10 } }] }),
    ],
  ])("%s", async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: "file_unreadable" });
  });

  it("if it is protected, with that reason", async () => {
    const locked = sheet("", { more: [{ name: "xl/b.xml", data: "x", says: { encrypted: true } }] });
    for (const bytes of [compoundFile("EncryptedPackage"), locked])
      await expect(read(bytes)).rejects.toMatchObject({ code: "file_encrypted" });
  });

  it("if it unpacks to too much, whatever it states, or has too many parts", async () => {
    const big = Buffer.alloc(140 * 1_048_576, " ");
    const bomb = sheet("", { more: ["xl/a.xml", "xl/b.xml"].map(name => ({ name, data: big })) });
    expect(bomb.length).toBeLessThan(500_000);
    await expect(read(bomb)).rejects.toMatchObject({ code: "file_too_large" });
    const liar = sheet("", { more: ["xl/a.xml", "xl/b.xml"].map(name => ({ name, data: big, says: { size: 10 } })) });
    await expect(read(liar)).rejects.toMatchObject({ code: "file_unreadable" });
    const many = Array.from({ length: 10_001 }, (_, n) => ({ name: `xl/${n}`, data: "" }));
    await expect(read(sheet("", { more: many }))).rejects.toMatchObject({ code: "file_too_complex" });
  });

  it("if it has few bytes and endless rows or columns", async () => {
    const wide = Array.from({ length: 100 }, (_, r) => `<row r="${r + 1}">${text("x", `XFD${r + 1}`)}</row>`).join("");
    await expect(read(sheet(wide))).rejects.toMatchObject({ code: "output_too_large" });
    const far = sheet(`<row r="1">${text("x")}</row><row r="1048576">${text("y", "A1048576")}</row>`);
    expect((await read(far, { header: false })).rows).toEqual([["x"], ["y"]]);
    const outside = sheet(`<row r="1">${text("x", "ZZZZ1")}</row>`);
    await expect(read(outside)).rejects.toMatchObject({ code: "file_unreadable" });
    // One shared text that stands in many cells.
    const cells = Array.from(
      { length: 2_000 },
      (_, r) => `<row r="${r + 1}"><c r="A${r + 1}" t="s"><v>0</v></c></row>`,
    );
    const repeated = sheet(cells.join(""), { shared: [`<t>${"x".repeat(30_000)}</t>`] });
    await expect(read(repeated, { header: false })).rejects.toMatchObject({ code: "output_too_large" });
  });

  it("without affecting the next file", async () => {
    expect((await read(sheet(`<row r="1">${text("fine")}</row>`), { header: false })).rows).toEqual([["fine"]]);
  });
});

describe("a CSV file", () => {
  it("is read as texts, or as the values that they represent", async () => {
    const csv = '\uFEFFid;name;n;ok\r\n007;"a ""b""\r\nc";1,5;TRUE\r\n;;;\r\n\r\n90071992547409921;ü;-2.50;\r\n';
    const plain = await read(csv);
    expect([plain.columns, plain.rows]).toEqual([
      ["id", "name", "n", "ok"],
      [
        ["007", 'a "b"\r\nc', "1,5", "TRUE"],
        ["90071992547409921", "ü", "-2.50"],
      ],
    ]);
    expect((await read(csv, { convert: true })).rows).toEqual([
      ["007", 'a "b"\r\nc', "1,5", true],
      ["90071992547409921", "ü", -2.5],
    ]);
    expect((await read(csv, { skip: 1, limit: 1 })).rows).toEqual([["90071992547409921", "ü", "-2.50"]]);
    expect((await read(csv, { limit: 1 })).truncated).toBe(true);
  });

  it("may have another encoding or delimiter", async () => {
    const bytes = Buffer.from("gr\xf6\xdfe|x\n1|2\n", "latin1");
    await expect(read(bytes)).rejects.toMatchObject({ code: "file_unreadable" });
    expect((await read(bytes, { encoding: "windows-1252" })).columns).toEqual(["größe", "x"]);
    expect((await read("\uFEFFa,b;c\n1,2;3\n", { delimiter: ";" })).columns).toEqual(["a,b", "c"]);
    const utf16 = Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from("a\tb\n", "utf16le")]);
    expect((await read(utf16)).columns).toEqual(["a", "b"]);
  });

  it("that is invalid or endless is rejected", async () => {
    await expect(read('a,b\n"1,2')).rejects.toMatchObject({ code: "file_unreadable" });
    await expect(read(`a\n"${"x".repeat(5_000_000)}`)).rejects.toMatchObject({ code: "file_too_complex" });
    await expect(read("a\0b")).rejects.toMatchObject({ code: "file_unreadable" });
    await expect(read("a,b", { range: "A:B" })).rejects.toMatchObject({ code: "invalid_data" });
    expect((await read("")).rows).toEqual([]);
  });
});

test("reads back what was written: texts stay texts, and dates are dates", async () => {
  const rows = [
    ["text", "day", "n"],
    ["=1+1", "2026-05-01", 0.1],
    ["+SUM(A1)", null, true],
    ["_x0041_ \u0001 ü\n", "1999-12-31", null],
  ];
  const bytes = await spreadsheets.write([{ name: "Größe & <x>", rows, dates: [null, "date", null] }], turn());
  expect(await read(bytes)).toMatchObject({
    sheets: ["Größe & <x>"],
    rows: [
      ["=1+1", "2026-05-01T00:00:00.000Z", 0.1],
      ["+SUM(A1)", null, true],
      ["_x0041_ \u0001 ü\n", "1999-12-31T00:00:00.000Z"],
    ],
  });
});

test("ends an aborted read", async () => {
  const ended = new AbortController();
  const endless = spreadsheets.read(
    {
      size: 1,
      async *open() {
        yield await new Promise<Uint8Array>((_, reject) => {
          ended.signal.addEventListener("abort", () => reject(ended.signal.reason as Error));
        });
      },
    },
    ALL,
    { group: "another", signal: ended.signal },
  );
  ended.abort(new Error("given up"));
  await expect(endless).rejects.toThrow("given up");
});
