import { Schema } from "../../adapters/store/schema.ts";
import { checkFilter } from "../../adapters/store/filter.ts";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { hasValues, pointOf } from "../../adapters/store/sqlite/point.ts";

const schema = new Schema({
  _id: { type: String, required: true },
  name: String,
  at: Date,
  on: Boolean,
  n: Number,
  tags: [String],
  lease: { owner: String },
});
const { layout } = collectionOfSchema({ name: "things", schema, tenant: false });
const point = (filter: object) => pointOf(checkFilter(layout, filter));

describe("a read by id", () => {
  test.each([
    { id: "a" },
    { id: "a", name: "b", at: new Date(5), on: false, n: 0 },
    { $and: [{ name: null }, { $and: [{ id: { $eq: "a" } }] }] },
    { id: "a", $and: [{ id: "b" }] },
  ])("is recognised in %j", filter => {
    expect(point(filter)?.id).toBe("a");
  });

  test.each([
    {},
    { name: "a" },
    { id: null },
    { id: { $in: ["a"] } },
    { id: { $gt: "a" } },
    { id: "a", tags: "x" },
    { id: "a", name: { $ne: "b" } },
    { id: "a", n: { $exists: true } },
    { $or: [{ id: "a" }] },
  ])("is not recognised in %j", filter => {
    expect(point(filter)).toBeNull();
  });

  test.each<[object, Record<string, unknown>, boolean]>([
    [{}, {}, true],
    [{ name: "b" }, { name: "b" }, true],
    [{ name: "b" }, { name: null }, false],
    [{ name: "b" }, {}, false],
    [{ name: null }, {}, true],
    [{ name: null }, { name: null }, true],
    [{ name: null }, { name: "" }, false],
    [{ at: new Date(5) }, { at: 5 }, true],
    [{ at: new Date(5) }, { at: 6 }, false],
    [{ on: false }, {}, false],
    [{ on: false }, { on: false }, true],
    [{ n: 0 }, { n: 0 }, true],
    [{ n: 0 }, { n: null }, false],
    [{ "lease.owner": "w" }, { lease: { owner: "w" } }, true],
    [{ "lease.owner": "w" }, { lease: {} }, false],
    [{ "lease.owner": null }, {}, true],
    [{ "lease.owner": null }, { lease: null }, true],
    [{ $and: [{ id: "b" }] }, {}, false],
    [{ $and: [{ id: "a" }] }, {}, true],
  ])("with %j besides, of %j, matches: %s", (filter, document, expected) => {
    const asked = point({ id: "a", ...filter });
    expect(asked && hasValues({ id: "a", ...document }, asked)).toBe(expected);
  });
});
