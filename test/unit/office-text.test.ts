import { createDocumentReader } from "../../adapters/documents/index.ts";
import { DOCX, type ImportType, XLSX } from "../../contracts/import-types.ts";
import { BILLION_LAUGHS, compoundFile, EXTERNAL_ENTITY, paragraph, wordFile, workbook } from "../support/office.ts";
import { zip } from "../support/zip.ts";

const documents = createDocumentReader();
afterAll(() => documents.close());
const read = (type: ImportType, bytes: Uint8Array) => documents.read({ type, bytes }, "a workspace");

test("turns a Word document into text with headings, lists and tables, without deleted text", async () => {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const body =
    paragraph("Handbook", "Heading1") +
    paragraph("Größe &amp; Maß – 日本 🔔") +
    `<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>` +
    `<w:tbl><w:tr>${cell("a")}${cell("b")}</w:tr></w:tbl>`;
  const [section, ...none] = await read(DOCX, wordFile(body));
  expect(none).toEqual([]);
  expect(section!.text).toMatch(/^# Handbook\n\nGröße & Maß – 日本 🔔\n\none\ntwo\n\n\s*a\s+b$/);
});

test("turns a workbook into a section for each visible sheet, with column names before values", async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const head = `<row r="1">${cell("A1", "name")}${cell("B1", "since")}</row>`;
  const file = workbook([
    {
      name: "People",
      rows: `${head}<row r="2">${cell("A2", "Ada")}<c r="B2" s="1"><v>45000</v></c></row><row r="9"/>`,
    },
    { name: "Secret", hidden: true, rows: `<row r="1">${cell("A1", "hidden")}</row>` },
    { name: "Empty", rows: "" },
    { name: "Names", rows: head },
  ]);
  expect(await read(XLSX, file)).toEqual([
    { text: "name: Ada\nsince: 2023-03-15T00:00:00.000Z", title: "People" },
    { text: "name, since", title: "Names" },
  ]);
});

const laughs = paragraph("&lol9;");
const blank = Buffer.alloc(140 * 1_048_576, " ");
it.each<[string, ImportType, Uint8Array, string]>([
  ["entities that unfold", DOCX, wordFile(laughs, { declaration: BILLION_LAUGHS }), "file_unreadable"],
  ["an external entity", DOCX, wordFile(laughs, { declaration: EXTERNAL_ENTITY }), "file_unreadable"],
  ["a path that leaves it", DOCX, wordFile("", { more: [{ name: "../a.xml", data: "" }] }), "file_unreadable"],
  ["half of it", DOCX, wordFile(paragraph("x")).subarray(0, 400), "file_unreadable"],
  ["a password", DOCX, compoundFile("EncryptedPackage"), "file_encrypted"],
  ["a password", XLSX, compoundFile("EncryptedPackage"), "file_encrypted"],
  ["the format before 2007", DOCX, compoundFile("WordDocument"), "file_unreadable"],
  ["another kind of file in it", DOCX, workbook([{ name: "S", rows: "" }]), "file_unreadable"],
  ["another kind of file in it", XLSX, wordFile(""), "file_unreadable"],
  ["no words", DOCX, wordFile(paragraph("")), "file_without_text"],
  ["no parts", DOCX, zip([{ name: "word/document.xml", data: "<x" }]), "file_unreadable"],
  ["elements nested too deeply", DOCX, wordFile("<w:p>".repeat(100_000)), "file_unreadable"],
  [
    "hundreds of megabytes inside",
    DOCX,
    wordFile("", { more: ["word/a", "word/b"].map(name => ({ name, data: blank })) }),
    "file_too_large",
  ],
  ["millions of elements", DOCX, wordFile("<w:p/>".repeat(10_000_000)), "file_too_complex"],
])("rejects a file with %s (%s)", async (_, type, bytes, code) => {
  await expect(read(type, bytes)).rejects.toMatchObject({ code });
});
