import { csvText } from "../../adapters/documents/csv-text.ts";

test("each row says by itself what its values are", () => {
  const text = '\uFEFFname;price;note\n"Bell; small";"4,50";"rings\ntwice"\n\nLamp;;\n';
  expect(csvText(text).text).toBe("name: Bell; small\nprice: 4,50\nnote: rings\ntwice\n\nname: Lamp");
});

test("values without a name of a column are kept, and a table without rows is its names", () => {
  expect(csvText("a,b\n1,2,3").text).toBe("a: 1\nb: 2\n3");
  expect(csvText("a\tb").text).toBe("a, b");
});

test("a quote that is not closed, too many columns and too much text are refused", () => {
  expect(() => csvText('a,b\n"1,2')).toThrow("not valid CSV");
  expect(() => csvText(`${"a,".repeat(1_001)}\n1`)).toThrow("columns");
  // Names that are repeated make a small file a long text.
  expect(() => csvText(`${"n".repeat(100_000)}\n${"1\n".repeat(100)}`)).toThrow("characters");
});
