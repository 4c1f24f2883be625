import { checkFilter } from "../../adapters/store/filter.ts";
import { mongoFilter } from "../../adapters/store/mongo/mongo-filter.ts";
import { slots } from "../store/collections.ts";

const sent = (filter: object) => mongoFilter(checkFilter(slots.layout, filter));

describe("a query on a field that decides about a partial index", () => {
  it("says that the field exists if its comparison implies it", () => {
    expect(sent({ email: "a@x.org" })).toEqual({ email: { $eq: "a@x.org", $exists: true } });
    expect(sent({ email: { $gt: "a" } })).toEqual({ email: { $gt: "a", $exists: true } });
    expect(sent({ email: { $in: ["a", "b"] } })).toEqual({ email: { $in: ["a", "b"], $exists: true } });
  });

  it("says nothing if documents without the field match", () => {
    for (const filter of [{ email: { $ne: "a" } }, { email: { $nin: ["a"] } }, { email: { $in: ["a", null] } }])
      expect(sent(filter)).toEqual(filter);
    expect(sent({ email: null })).toEqual({ email: null });
  });

  it("keeps other fields unchanged", () => {
    expect(sent({ id: "a" })).toEqual({ _id: "a" });
    expect(sent({ key: { $gt: "a" } })).toEqual({ key: { $gt: "a" } });
  });
});
