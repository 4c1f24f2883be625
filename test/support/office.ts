import { zip, type ZipEntry } from "./zip.ts";

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationships = (list: [id: string, type: string, target: string][]) =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;
const types = `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`;

interface SheetXml {
  name: string;
  /** The content of `sheetData`. */
  rows: string;
  hidden?: boolean;
  /** The XML after `sheetData`, such as merged cells. */
  after?: string;
}

interface WorkbookXml {
  shared?: string[];
  date1904?: boolean;
  more?: ZipEntry[];
  /** The XML before the root element of each sheet. */
  declaration?: string;
}

/** The cell formats: 0 general, 1 a date, 2 a date with a time. */
const STYLES = `${XML}<styleSheet xmlns="${SHEETS}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd.mm.yyyy hh:mm"/></numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/** An XLSX file with the layout of Excel, made from XML, so that a test shows its content. */
export function workbook(
  sheets: SheetXml[],
  { shared = [], date1904 = false, more = [], declaration = "" }: WorkbookXml = {},
): Buffer<ArrayBuffer> {
  const listed = sheets.map(
    ({ name, hidden }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${hidden ? ' state="hidden"' : ""} r:id="rId${at + 1}"/>`,
  );
  const related = sheets.map((_, at): [string, string, string] => [
    `rId${at + 1}`,
    "worksheet",
    `worksheets/sheet${at + 1}.xml`,
  ]);
  return zip([
    { name: "[Content_Types].xml", data: types },
    { name: "_rels/.rels", data: relationships([["rId1", "officeDocument", "xl/workbook.xml"]]) },
    {
      name: "xl/workbook.xml",
      data: `${XML}<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><workbookPr${date1904 ? ' date1904="1"' : ""}/><sheets>${listed.join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      data: relationships([...related, ["rS", "sharedStrings", "sharedStrings.xml"], ["rY", "styles", "styles.xml"]]),
    },
    { name: "xl/styles.xml", data: STYLES },
    {
      name: "xl/sharedStrings.xml",
      data: `${XML}<sst xmlns="${SHEETS}">${shared.map(one => `<si>${one}</si>`).join("")}</sst>`,
    },
    ...sheets.map(({ rows, after = "" }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      data: `${XML}${declaration}<worksheet xmlns="${SHEETS}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
    ...more,
  ]);
}

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** A DOCX file with this content of the body. */
export function wordFile(
  body: string,
  { declaration = "", more = [] }: Pick<WorkbookXml, "declaration" | "more"> = {},
): Buffer<ArrayBuffer> {
  return zip([
    { name: "[Content_Types].xml", data: types },
    { name: "_rels/.rels", data: relationships([["rId1", "officeDocument", "word/document.xml"]]) },
    {
      name: "word/document.xml",
      data: `${XML}${declaration}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
    },
    ...more,
  ]);
}

/** A paragraph of a DOCX file, with the id of its style. */
export const paragraph = (text: string, style = ""): string =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** The beginning of a compound file. Office files with a password are compound files. */
export const compoundFile = (streams: string): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600), Buffer.from(streams, "utf16le")]);

/** Entities that would expand to a billion words. */
export const BILLION_LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n || ""};`.repeat(10)}">`,
).join("")}]>`;
export const EXTERNAL_ENTITY = '<!DOCTYPE x [<!ENTITY lol9 SYSTEM "file:///etc/passwd">]>';
