import fc from "fast-check";
import { type Bench, id, type Item, type Slot } from "./collections.ts";

const invalid = { code: "invalid_document" };

export function describeValues(bench: () => Bench): void {
  describe("the values of a document", () => {
    test("every type is returned as it was stored", async () => {
      const { items, workspaceId } = bench();
      const item: Item = {
        id: id(),
        name: "ünï ✓ \u0000 end",
        state: "taken",
        order: 1.5,
        count: -7,
        done: false,
        at: new Date("2024-02-29T12:34:56.789Z"),
        tags: ["a", "b", "a"],
        lease: { owner: "me", until: new Date(-1) },
        body: { deep: [1, { "a.b": null }] },
      };
      await items.insert(item);
      expect(await items.get({ id: item.id })).toEqual({ ...item, workspaceId });
    });

    test("insert returns the same document as get", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a", at: new Date(5), lease: {}, body: [1] });
      expect(await items.get({ id: made.id })).toStrictEqual(made);
    });

    test("null stays null, and a missing field stays missing", async () => {
      const { items } = bench();
      await items.insert({ id: id(), name: "a", order: null, at: null, lease: { owner: null } });
      const found = await items.get({});
      expect(found).toMatchObject({ order: null, at: null, lease: { owner: null } });
      expect(found).not.toHaveProperty("tags");
      expect(found).not.toHaveProperty("body");
      expect(found).not.toHaveProperty("lease.until");
    });

    test("undefined counts as missing", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a", order: undefined, body: undefined });
      expect(Object.keys((await items.get({ id: made.id })) ?? {})).not.toEqual(expect.arrayContaining(["order"]));
    });

    test("empty objects and empty lists are stored", async () => {
      const { items } = bench();
      await items.insert({ id: id(), name: "a", lease: {}, tags: [] });
      expect(await items.get({})).toMatchObject({ lease: {}, tags: [] });
    });

    test("defaults fill missing fields and do not replace null", async () => {
      const { items, slots } = bench();
      expect(await items.insert({ id: id(), name: "a" })).toMatchObject({ state: "open", count: 0 });
      expect(await items.insert({ id: id(), name: "b", state: null, count: 4 })).toMatchObject({
        state: null,
        count: 4,
      });
      const slot = await slots.insert({ id: id(), key: id(), seq: 1 });
      expect((await slots.get({ id: slot.id }))?.made).toEqual(new Date(1000));
    });

    test.each<[string, Record<string, unknown>]>([
      ["an unknown field", { colour: "red" }],
      ["an unknown field of an object", { lease: { colour: "red" } }],
      ["an own __proto__", JSON.parse('{"__proto__": {"name": "x"}}') as Record<string, unknown>],
      ["a number for a string", { name: 5 }],
      ["a string for a number", { order: "5" }],
      ["NaN", { order: Number.NaN }],
      ["infinity", { order: Infinity }],
      ["text for a date", { at: "2024-01-01" }],
      ["an invalid date", { at: new Date(Number.NaN) }],
      ["a string for a boolean", { done: "true" }],
      ["a value outside of the enumeration", { state: "lost" }],
      ["a string for a list", { tags: "a" }],
      ["a number in a list", { tags: ["a", 1] }],
      ["null for an object", { lease: null }],
      ["null for a required field", { name: null }],
      ["a missing required field", { name: undefined }],
      ["an empty id", { id: "" }],
      ["a function as free-form JSON", { body: () => 1 }],
    ])("%s is refused", async (_, wrong) => {
      const { items } = bench();
      await expect(items.insert({ id: id(), name: "a", ...wrong })).rejects.toMatchObject(invalid);
      expect(await items.count({})).toBe(0);
    });

    test("a field of a unique index is never null", async () => {
      const { slots } = bench();
      const slot = { id: id(), key: id(), seq: 1, email: null } as unknown as Slot;
      await expect(slots.insert(slot)).rejects.toMatchObject(invalid);
    });

    test("documents of 1 MiB are stored, and documents above 15 MiB are rejected", async () => {
      const { items } = bench();
      const body = { text: "é".repeat(512 * 1024) };
      const made = await items.insert({ id: id(), name: "x".repeat(100_000), body });
      expect((await items.get({ id: made.id }))?.body).toEqual(body);
      const huge = { id: id(), name: "b", body: "x".repeat(15 * 1024 * 1024 + 1) };
      await expect(items.insert(huge)).rejects.toMatchObject(invalid);
    });

    test.each<[string, unknown]>([
      ["null", null],
      ["a string", "plain"],
      ["a number", 0.1],
      ["false", false],
      ["operators as keys", { $where: "1", $set: { a: 1 }, "a.b": { "": 1 } }],
      ["what a database driver would read as a type", { _bsontype: "ObjectId", id: "x", $oid: "y", toBSON: 1 }],
      ["own __proto__ and constructor keys", JSON.parse('{"__proto__": {"a": 1}, "constructor": {"b": 2}}')],
      ["a lone surrogate", { a: "\ud800" }],
      ["what looks like a date", { at: "2024-01-01T00:00:00.000Z", ms: 1 }],
    ])("free-form JSON: %s is returned unchanged", async (_, body) => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a", body });
      const found = await items.get({ id: made.id });
      expect(JSON.stringify(found?.body)).toBe(JSON.stringify(body));
      await items.updateOne({ id: made.id }, { $set: { other: body } });
      expect(JSON.stringify((await items.get({ id: made.id }))?.other)).toBe(JSON.stringify(body));
    });

    test("free-form JSON: a depth of 2,500 is returned unchanged", async () => {
      const { items } = bench();
      const body = JSON.parse(`${"[".repeat(2500)}${"]".repeat(2500)}`) as unknown;
      const made = await items.insert({ id: id(), name: "a", body });
      expect(JSON.stringify((await items.get({ id: made.id }))?.body)).toHaveLength(5000);
      expect(await items.updateOne({ id: made.id }, { $inc: { count: 1 } })).toMatchObject({ count: 1 });
    });

    test("an error in the code that reads a document is not reported as an error of the store", async () => {
      const { items } = bench();
      const { id: made } = await items.insert({ id: id(), name: "a", body: [] });
      const parse = jest.spyOn(JSON, "parse").mockImplementationOnce(() => {
        throw new TypeError("a fault");
      });
      const found = items.get({ id: made });
      await expect(found).rejects.toMatchObject({ name: "TypeError", message: "a fault" });
      parse.mockRestore();
    });

    test("free-form JSON: any value is returned unchanged", async () => {
      const { items } = bench();
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), async body => {
          const made = await items.insert({ id: id(), name: "a", body });
          expect(JSON.stringify((await items.get({ id: made.id }))?.body)).toBe(JSON.stringify(body));
        }),
        { numRuns: 60 },
      );
    });
  });
}
