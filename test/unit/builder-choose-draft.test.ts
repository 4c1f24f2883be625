import { chooseDraft, type DraftThere } from "../../console/builder/choose-draft.ts";
import type { Draft } from "../../console/builder/draft.ts";

const meta = (name: string) => ({ name, description: "" });
const here = (at: number, name = "here"): Draft => ({ baseVersion: 1, meta: meta(name), definition: {}, at });
/** By a clock that is a day ahead, as that of the service may be. */
const there = (revision: string, name = "there"): DraftThere => ({ ...here(86_400_000, name), revision });

describe("the draft that a person goes on with", () => {
  it("is the one that there is", () => {
    expect(chooseDraft(undefined, undefined, undefined)).toBeUndefined();
    expect(chooseDraft(here(1), undefined, undefined)).toMatchObject({ here: true, other: undefined });
    expect(chooseDraft(undefined, there("a"), undefined)).toMatchObject({ here: false, other: undefined });
  });

  it("is the one of this browser when the service has what this browser sent, whatever the clocks say", () => {
    expect(chooseDraft(here(5), there("a"), { at: 3, revision: "a" })).toMatchObject({ here: true, other: undefined });
  });

  it("is the one of the service when another device went on with it", () => {
    const chosen = chooseDraft(here(5), there("b"), { at: 5, revision: "a" });
    expect(chosen).toMatchObject({ here: false, draft: { meta: { name: "there" } }, other: undefined });
  });

  it("is the one of this browser, beside the other one, when both devices went on", () => {
    const chosen = chooseDraft(here(6), there("b"), { at: 5, revision: "a" });
    expect(chosen).toMatchObject({ here: true, other: { meta: { name: "there" } } });
  });

  it("is one when both say the same, as after an answer that was lost", () => {
    expect(chooseDraft(here(6), there("b", "here"), undefined)).toMatchObject({ here: true, other: undefined });
  });

  it("is none when this browser is done with the one that the service still has", () => {
    expect(chooseDraft(undefined, there("a"), { at: 5, revision: "a" })).toBeUndefined();
  });
});
