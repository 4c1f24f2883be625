import { clip } from "../../core/clip.ts";

test("keeps a text that fits, and ends a longer one with an ellipsis", () => {
  expect(clip("looms", 5)).toBe("looms");
  expect(clip("looms!", 5)).toBe("loom…");
  expect(clip("looms!", 5)).toHaveLength(5);
});

test("cuts no character in two", () => {
  expect(clip("ab🧵cd", 4)).toBe("ab…");
  expect(clip("ab🧵cd", 5)).toBe("ab🧵…");
});
