import fc from "fast-check";
import { fileNameOf } from "../../services/gateway/request/file-name.ts";

/** As node:http gives a header: a character a byte. */
const raw = (header: string) => Buffer.from(header, "utf8").toString("latin1");

it.each([
  ['attachment; filename="plan.pdf"', "plan.pdf"],
  ["attachment; filename=plan.pdf", "plan.pdf"],
  ["inline;FileName = plan.pdf ; size=5", "plan.pdf"],
  ['attachment; filename="a \\"b\\"; c.pdf"', 'a "b"; c.pdf'],
  ["attachment; filename*=UTF-8''na%C3%AFve%20plan.pdf", "naïve plan.pdf"],
  ["attachment; filename*=utf-8'en'%e2%82%ac.txt; filename=\"EUR.txt\"", "€.txt"],
  ["attachment; filename=\"EUR.txt\"; filename*=ISO-8859-1''%A3.txt", "£.txt"],
  [raw('attachment; filename="täglich.md"'), "täglich.md"],
  ['attachment; filename="t\xe4glich.md"', "täglich.md"],
  ['attachment; filename="../../etc/passwd"', "passwd"],
  ['attachment; filename="C:\\\\fakepath\\\\plan.pdf"', "plan.pdf"],
])("reads %s", (header, name) => expect(fileNameOf(header)).toBe(name));

it.each([
  ["what is broken for what is not", "attachment; filename*=UTF-8''%C3; filename=plan.pdf", "plan.pdf"],
  ["a charset that nobody knows", "attachment; filename*=x''a; filename=plan.pdf", "plan.pdf"],
  ["nothing", undefined, undefined],
  ["no name", "attachment", undefined],
  ["an empty name", 'attachment; filename=""', undefined],
  ["a folder", 'attachment; filename="folder/"', undefined],
  ["a header that is far too long", `attachment; filename="${"x".repeat(5_000)}"`, undefined],
])("keeps %s", (_, header, name) => expect(fileNameOf(header)).toBe(name));

it("reads back any name written by RFC 8187, and throws for no header", () => {
  const encoded = (name: string) =>
    `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/[()'*]/g, c => `%${c.charCodeAt(0).toString(16)}`)}`;
  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 50 })
    .filter(text => !/[/\\]/.test(text) && text.trim() === text);
  fc.assert(fc.property(name, text => expect(fileNameOf(encoded(text))).toBe(text)));
  fc.assert(fc.property(fc.string({ maxLength: 300 }), header => void fileNameOf(`attachment;${header}`)));
});
