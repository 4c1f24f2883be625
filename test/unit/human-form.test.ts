import { NODE_TYPES } from "../../core/graph/node-types.ts";

it("accepts a form of up to 32 KiB in a human step, because lists show it", () => {
  const asks = (length: number) =>
    NODE_TYPES.human.data.safeParse({ prompt: "Go on?", form: { title: "x".repeat(length) } });
  expect(asks(32_000).success).toBe(true);
  expect(asks(33_000).error?.issues).toEqual([
    expect.objectContaining({ path: ["form"], message: "Must not be larger than 32 KiB" }),
  ]);
});
