import { createDocument } from "../../console/builder/document/index.ts";
import { forgetInvalidTexts, invalidTextsOf, keepInvalidTexts } from "../../console/builder/invalid-texts.ts";

const stored = new Map<string, string>();
beforeAll(() => {
  Object.assign(globalThis, {
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    },
  });
});
afterAll(() => void Reflect.deleteProperty(globalThis, "localStorage"));

/** The document of a page that was opened. */
function opened(userId = "ada") {
  const doc = createDocument({ nodes: [], edges: [] });
  keepInvalidTexts(doc, userId, "w1");
  return doc;
}

it("restores text that is not valid JSON yet when the same person opens the workflow again", () => {
  const doc = opened();
  invalidTextsOf(doc, "fetch").set("/body", '{"a": ');
  expect(invalidTextsOf(doc, "fetch").get("/body")).toBe('{"a": ');
  expect(invalidTextsOf(opened(), "fetch").get("/body")).toBe('{"a": ');
  expect(invalidTextsOf(opened("grace"), "fetch").get("/body")).toBeUndefined();
});

it("deletes stored text once it is valid or discarded", () => {
  const doc = opened();
  invalidTextsOf(doc, "fetch").set("/headers", "{");
  invalidTextsOf(doc, "fetch").delete("/body");
  expect([...invalidTextsOf(opened(), "fetch")]).toEqual([["/headers", "{"]]);
  invalidTextsOf(doc, "fetch").delete("/headers");
  expect(stored.size).toBe(0);
  invalidTextsOf(doc, "fetch").set("/body", "[");
  forgetInvalidTexts("ada", "w1");
  expect(invalidTextsOf(opened(), "fetch").size).toBe(0);
});

it("ignores stored data that is not its own", () => {
  stored.set("weft:draft:ada:unread:w1", JSON.stringify({ fetch: { "/body": 7 }, other: "text" }));
  expect(invalidTextsOf(opened(), "fetch").size).toBe(0);
  stored.set("weft:draft:ada:unread:w1", "no JSON");
  expect(invalidTextsOf(opened(), "fetch").size).toBe(0);
});
