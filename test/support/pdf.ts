import { constants, deflateRawSync, deflateSync } from "node:zlib";

const streamOf = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
    content,
    Buffer.from("\nendstream"),
  ]);

/** A PDF whose pages have these compressed content streams. */
export function pdfOf(contents: readonly Buffer[], title = "A title"): Buffer {
  const pages = contents.map((_, at) => 4 + 2 * at);
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map(n => `${n} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      streamOf(content),
    ]),
    `<< /Title (${title}) >>`,
  ];
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const push = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, at) => {
    offsets.push(length);
    push(Buffer.from(`${at + 1} 0 obj\n`));
    push(Buffer.from(object));
    push(Buffer.from("\nendobj\n"));
  });
  const count = objects.length + 1;
  const rows = offsets.map(offset => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `<< /Size ${count} /Root 1 0 R /Info ${count - 1} 0 R >>`;
  const xref = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n${trailer}\nstartxref\n${length}\n%%EOF\n`;
  push(Buffer.from(xref));
  return Buffer.concat(parts);
}

/** A PDF with one line of plain ASCII on each page. */
export const pdfWith = (...lines: string[]): Buffer =>
  pdfOf(lines.map(line => deflateSync(Buffer.from(line === "" ? "" : `BT /F1 12 Tf 72 700 Td (${line}) Tj ET`))));

/** A PDF of a few hundred kilobytes that unpacks to `megabytes` of this content. */
export function pdfBomb(megabytes: number, content: string): Buffer {
  const instructions = Buffer.from(content.repeat(Math.ceil(1_048_576 / content.length)));
  // Blocks that end at a byte boundary and do not refer to earlier ones can be repeated unchanged (RFC 1951).
  const block = deflateRawSync(instructions, { finishFlush: constants.Z_FULL_FLUSH });
  const [header, end] = [Buffer.from([0x78, 0x9c]), Buffer.from([0x03, 0x00, 0, 0, 0, 0])];
  return pdfOf([Buffer.concat([header, ...Array.from({ length: megabytes }, () => block), end])]);
}
