import { csvText } from "../../adapters/documents/csv-text.ts";

test("infers the types of values in each row on its own", () => {
  const text = '\uFEFFname;price;note\n"Bell; small";"4,50";"rings\ntwice"\n\nLamp;;\n';
  expect(csvText(text).text).toBe("name: Bell; small\nprice: 4,50\nnote: rings\ntwice\n\nname: Lamp");
});

test("keeps values without a column name, and writes only names for a table without rows", () => {
  expect(csvText("a,b\n1,2,3").text).toBe("a: 1\nb: 2\n3");
  expect(csvText("a\tb").text).toBe("a, b");
});

test("rejects an unclosed quote, too many columns and too much text", () => {
  expect(() => csvText('a,b\n"1,2')).toThrow("not valid CSV");
  expect(() => csvText(`${"a,".repeat(1_001)}\n1`)).toThrow("columns");
  // Names that are repeated make a small file a long text.
  expect(() => csvText(`${"n".repeat(100_000)}\n${"1\n".repeat(100)}`)).toThrow("characters");
});
