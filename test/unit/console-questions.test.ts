import { addressOf } from "../../console/answer/address.ts";
import { findQuestion, pathOf, pathText, questionKey } from "../../console/data/question-address.ts";

const open = [
  { nodeId: "a", prompt: "1", expiresAt: null },
  { nodeId: "b", path: [{ nodeId: "each", index: 17 }], prompt: "2", expiresAt: null },
  { nodeId: "b", path: [{ nodeId: "each", index: 18 }], question: "q-2", prompt: "3", expiresAt: null },
];

describe("the address of a question", () => {
  it("names items of maps, whatever the ids of their steps", () => {
    const path = [
      { nodeId: "each:one, two", index: 17 },
      { nodeId: "inner", index: 0 },
    ];
    expect(pathText(path)).toBe("each%3Aone%2C%20two:17,inner:0");
    expect(pathOf(pathText(path))).toEqual(path);
    expect([pathText(undefined), pathText([]), pathOf(undefined), pathOf("each"), pathOf("%:1")]).toEqual([
      ...[undefined, undefined, undefined, undefined],
      [{ nodeId: "%", index: 1 }],
    ]);
  });

  it("finds its question among the open ones, and no other", () => {
    expect(findQuestion(open, {})?.prompt).toBe("1");
    expect(findQuestion(open, { nodeId: "b", path: [{ nodeId: "each", index: 17 }] })?.prompt).toBe("2");
    expect(findQuestion(open, { nodeId: "b" })).toBeUndefined();
    expect(findQuestion(open, { nodeId: "b", path: open[2]!.path, question: "q-1" })).toBeUndefined();
    expect(findQuestion([], {})).toBeUndefined();
    expect(new Set(open.map(questionKey)).size).toBe(3);
  });

  it("is parsed from the page's address, and rejected if a part is missing", () => {
    expect(addressOf("/a/w-1/r-1", "?n=b&p=each:17&q=q-2")).toEqual({
      workspaceId: "w-1",
      runId: "r-1",
      asked: { nodeId: "b", path: [{ nodeId: "each", index: 17 }], question: "q-2" },
    });
    expect(addressOf("/a/w-1/r-1", "")?.asked.nodeId).toBeUndefined();
    expect([addressOf("/a/w-1", ""), addressOf("/a/w-1/..%2Fx", ""), addressOf("/a", "")]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });
});
