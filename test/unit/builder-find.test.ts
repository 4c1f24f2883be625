import { createDocument } from "../../console/builder/document/index.ts";
import { find, replaceIn } from "../../console/builder/find/find.ts";

const step = (id: string, more: object = {}) => ({
  id,
  type: "transform",
  position: { x: 0, y: 0 },
  data: {},
  ...more,
});

describe("find and replace", () => {
  it("searches ids, names and values of any depth, and replaces as one edit without changing ids", () => {
    const doc = createDocument({
      nodes: [
        step("shop", { name: "Ask the SHOP", data: { headers: [{ value: "shop.example.com/shop" }] } }),
        step("b"),
      ],
    });
    const hits = find(doc.getState(), "shop");
    expect(hits.map(({ pointer, at: from }) => [pointer, from])).toEqual([
      ["", 0],
      ["/name", 8],
      ["/data/headers/0/value", 0],
    ]);
    doc.apply(replaceIn(hits, "shop", "$& store"));
    expect(doc.getState().nodes.get("shop")).toMatchObject({
      name: "Ask the $& store",
      data: { headers: [{ value: "$& store.example.com/$& store" }] },
    });
    expect(doc.undo()?.label).toBe("Replace in 2 places");
    expect(find(doc.getState(), "")).toEqual([]);
  });
});
