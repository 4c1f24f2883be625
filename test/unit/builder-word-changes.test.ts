import { wordChanges } from "../../console/builder/diff/words.ts";

const marked = (from: string, to: string) => {
  const changes = wordChanges(from, to);
  const show = (pieces: readonly { text: string; changed: boolean }[]) =>
    pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join("");
  return [show(changes.from), show(changes.to)];
};

describe("the words that differ between two texts", () => {
  it("are marked on both sides", () => {
    expect(marked("May {{ input.who }} spend it?", "May {{ input.name }} spend it?")).toEqual([
      "May {{ input.[who] }} spend it?",
      "May {{ input.[name] }} spend it?",
    ]);
    expect(marked("one three", "one two three")).toEqual(["one three", "one [two ]three"]);
    expect(marked("", "new")).toEqual(["", "[new]"]);
    expect(marked("Größe: 3", "Größe: 30")).toEqual(["Größe: [3]", "Größe: [30]"]);
  });

  it("are none if the texts are equal", () => {
    expect(marked("the same", "the same")).toEqual(["the same", "the same"]);
  });

  it("are the whole text if it is too long to compare", () => {
    const long = "word ".repeat(1_000);
    expect(wordChanges(long, `${long}more`).to).toEqual([{ text: `${long}more`, changed: true }]);
  });
});
