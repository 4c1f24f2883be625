import { globSync, readFileSync } from "node:fs";
import { type Colour, contrast, distance, oklab, parseHex, type Vision, VISIONS } from "../support/colours.ts";

const css = readFileSync("console/tokens.css", "utf8");
type Theme = "light" | "dark";
const THEMES: Theme[] = ["light", "dark"];

const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light: parseHex(light), dark: parseHex(dark) }],
  ),
);
const token = (name: string, theme: Theme): Colour => {
  const found = tokens.get(name);
  if (!found) throw new Error(`tokens.css has no colour ${name}`);
  return found[theme];
};

const GROUNDS = ["page", "raised", "card"];
const TEXT = ["ink", "ink-2", "ink-3", "indigo", "lichen", "woad", "weld", "madder", "ash", "verdigris", "orchil"];
const STATES = ["lichen", "woad", "weld", "madder", "ash"];

describe.each(THEMES)("the colours in the %s theme", theme => {
  it("of text are readable on every background", () => {
    const faint = TEXT.flatMap(name =>
      GROUNDS.map(ground => ({ name, ground, ratio: contrast(token(name, theme), token(ground, theme)) })),
    ).filter(({ ratio }) => ratio < 4.5);
    expect(faint).toEqual([]);
  });

  it("of buttons are readable, and those of borders are visible", () => {
    expect(contrast(token("on-indigo", theme), token("indigo", theme))).toBeGreaterThanOrEqual(4.5);
    for (const ground of GROUNDS) {
      expect(contrast(token("edge", theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(Object.keys(VISIONS) as Vision[])("of states differ for %s vision", sight => {
    const least = theme === "light" ? 0.087 : 0.102;
    const close = STATES.flatMap((one, n) =>
      STATES.slice(n + 1).map(other => ({
        pair: `${one} ${other}`,
        distance: distance(oklab(VISIONS[sight](token(one, theme))), oklab(VISIONS[sight](token(other, theme)))),
      })),
    ).filter(pair => pair.distance < least - 0.0005);
    expect(close).toEqual([]);
  });
});

describe("the tokens", () => {
  it("are the only colours of the styles", () => {
    expect(tokens.size).toBeGreaterThan(15);
    const strays = globSync("console/**/*.css", { exclude: ["console/dist/**"] })
      .filter(file => !file.endsWith("tokens.css"))
      .flatMap(file =>
        [...readFileSync(file, "utf8").matchAll(/#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/gi)].map(
          ([found]) => `${file}: ${found}`,
        ),
      )
      // The colour of a mask is never seen.
      .filter(stray => !stray.endsWith(": #000"));
    expect(strays).toEqual([]);
  });
});
