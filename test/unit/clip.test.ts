import { clip } from "../../core/clip.ts";

test("a text that fits stays as it is, a longer one ends in an ellipsis", () => {
  expect(clip("looms", 5)).toBe("looms");
  expect(clip("looms!", 5)).toBe("loom…");
  expect(clip("looms!", 5)).toHaveLength(5);
});

test("no character is cut in two", () => {
  expect(clip("ab🧵cd", 4)).toBe("ab…");
  expect(clip("ab🧵cd", 5)).toBe("ab🧵…");
});
