import { createDocument } from "../../console/builder/document/index.ts";
import { expressionsIn } from "../../console/builder/inspector/preview-store.ts";
import { SampleStore } from "../../console/builder/inspector/sample-store.ts";
import { leadingTo, scopeSteps } from "../../console/builder/inspector/scope.ts";
import { definition, node } from "../support/definition.ts";

const inside = (id: string, parentId: string) => node(id, "transform", {}, { parentId });
const STATE = createDocument(
  definition(
    [
      node("start", "trigger"),
      node("each", "map"),
      inside("first", "each"),
      inside("second", "each"),
      node("after", "transform"),
      node("beside", "transform"),
    ],
    "start > each",
    "first > second",
    "each > after",
    "start > beside",
  ),
).getState();

const reasons = (id: string) => Object.fromEntries(scopeSteps(STATE, id).map(step => [step.id, step.useless]));

describe("what a step can read", () => {
  it("are the steps that lead to it and to the maps around it", () => {
    expect([...leadingTo(STATE, "second")].toSorted()).toEqual(["first", "start"]);
    expect([...leadingTo(STATE, "after")].toSorted()).toEqual(["each", "start"]);
  });

  it("leaves out other steps, each with the reason", () => {
    expect(reasons("second")).toMatchObject({ start: undefined, first: undefined, second: "the step itself" });
    expect(reasons("second").beside).toBe("does not lead here");
    expect(reasons("first").second).toBe("runs after this step");
    expect(reasons("after").first).toBe("inside another map");
  });
});

describe("the texts that are previewed", () => {
  it("are those with expressions, by their pointers", () => {
    const data = { url: "https://{{ input.host }}", "a/b": ["plain", "{{ 1 }}"], n: 1, none: null };
    expect(expressionsIn(data)).toEqual({ "/url": "https://{{ input.host }}", "/a~1b/1": "{{ 1 }}" });
  });

  it("are limited to as many as one call accepts", () => {
    expect(Object.keys(expressionsIn(Array.from({ length: 500 }, () => "{{ 1 }}")))).toHaveLength(200);
  });
});

describe("the values of a sample", () => {
  const source = (output: (id: string) => Promise<unknown>) => ({
    input: () => Promise.resolve({ order: 7 }),
    output,
    others: () => Promise.resolve({ item: "bell", index: 0, trigger: { type: "manual" } }),
  });

  it("are requested when they are read, each once", async () => {
    const asked: string[] = [];
    const store = new SampleStore(source(id => Promise.resolve(asked.push(id))));
    expect(store.scope(["check"])).toEqual({ steps: {} });
    await store.missing();
    expect(store.missing()).toBeUndefined();
    expect(Object.keys(store.scope(["check"]))).toEqual(["input", "item", "index", "steps", "trigger"]);
    expect(store.scope(["check"]).steps).toEqual({ check: 1 });
    expect(asked).toEqual(["check"]);
  });

  it("are left out if they cannot be read, without affecting others", async () => {
    const store = new SampleStore(
      source(id => (id === "gone" ? Promise.reject(new Error("404")) : Promise.resolve(id))),
    );
    store.scope(["gone", "check"]);
    await store.missing();
    expect(store.scope(["gone", "check"]).steps).toEqual({ check: "check" });
  });

  it("are read again if a sample has changed", async () => {
    let value = 1;
    const store = new SampleStore(source(() => Promise.resolve(value)));
    store.scope(["check"]);
    await store.missing();
    value = 2;
    store.forget("check");
    store.scope(["check"]);
    await store.missing();
    expect(store.scope(["check"]).steps).toEqual({ check: 2 });
  });
});
