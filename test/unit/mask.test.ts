import { execFileSync } from "node:child_process";
import { TextFinder } from "../../core/credentials/find-texts.ts";
import { MASK, maskerOf } from "../../core/credentials/mask.ts";

/** Marks each character that is a part of an occurrence, by comparing at each place. */
function coveredBy(wanted: readonly string[], text: string): string {
  const marks = [...text].fill(".");
  for (const one of wanted)
    for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) marks.fill("#", at, at + one.length);
  return marks.join("");
}

const shown = (wanted: readonly string[], text: string) => {
  const marks = [...text].fill(".");
  for (const { start, end } of new TextFinder(wanted).spansIn(text)) marks.fill("#", start, end);
  return marks.join("");
};

/** Texts of two letters, so that they repeat themselves and overlap. */
function textsOf(seed: number, lengths: readonly number[]): string[] {
  let state = seed;
  const letter = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state < 1_800_000_000 ? "a" : "b";
  };
  return lengths.map(length => Array.from({ length }, letter).join(""));
}

describe("the texts that are found in another one", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("are those that a search for each of them finds (%i)", seed => {
    const [short, ...others] = textsOf(seed, [4, 7, 12, 130, 200, 900]) as [string, ...string[]];
    const long = "a".repeat(180 + seed) + "b";
    const wanted = [short, ...others, long];
    const [noise = ""] = textsOf(seed + 100, [500]);
    const text = [noise, ...others.map(one => one + one.slice(0, 140)), "a".repeat(150), long, noise, long].join("b");
    expect(shown(wanted, text)).toBe(coveredBy(wanted, text));
  });

  it("are one part where they overlap, and parts of their own side by side", () => {
    const finder = new TextFinder(["abab", "xyxy"]);
    expect(finder.spansIn("ababab xyxyabab")).toEqual([
      { start: 0, end: 6 },
      { start: 7, end: 11 },
      { start: 11, end: 15 },
    ]);
  });

  it("may have any characters", () => {
    const finder = new TextFinder(["żółw", "😀😁", ".*", "\u0000\u0000"]);
    expect(finder.spansIn("a żółw 😀😁 .* \u0000\u0000").map(({ start }) => start)).toEqual([2, 7, 12, 15]);
  });
});

describe("a mask", () => {
  it("hides a secret within texts, names and numbers, and leaves all else as it is", () => {
    const mask = maskerOf(["s3cret-value", "12345", "abc"]);
    const other = { list: ["abc", 1234, null, true] };
    expect(mask(other)).toBe(other);
    expect(mask({ "is s3cret-value": [`${"s3cret-value".repeat(2)}!`, 12345, 0.12345] })).toEqual({
      [`is ${MASK}`]: [`${MASK}${MASK}!`, MASK, MASK],
    });
  });

  // A regular expression of all of them is refused, with an error that quotes it.
  it("hides each line of a key, whose lines are many and begin alike", () => {
    const lines = Array.from(
      { length: 700 },
      (_, at) => `${"a".repeat(19)}${String.fromCharCode(33 + (at % 90))}${at}`,
    );
    const mask = maskerOf([lines.join("\n")]);
    expect(mask(`1: ${lines[699]} 2: ${lines[20]}`)).toBe(`1: ${MASK} 2: ${MASK}`);
    expect(mask(lines.join("\n"))).toBe(MASK);
  });

  // A search that compares a secret at each place of a text takes minutes. In a process, which can be ended meanwhile.
  it("takes no longer for secrets and texts that nearly match everywhere", () => {
    const script = `
      const { maskerOf } = require("./core/credentials/mask.ts");
      const mask = maskerOf(["a".repeat(8_000) + "b" + "a".repeat(8_000), "ab".repeat(8_000) + "c"]);
      const texts = ["a".repeat(16_000_000), "ab".repeat(8_000_000)];
      process.stdout.write(String(texts.every(text => mask(text) === text)));
    `;
    expect(execFileSync("node", ["-e", script], { timeout: 40_000, encoding: "utf8" })).toBe("true");
  });
});
