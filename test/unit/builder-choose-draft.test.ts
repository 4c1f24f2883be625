import { chooseDraft, type ServiceDraft } from "../../console/builder/choose-draft.ts";
import type { Draft } from "../../console/builder/draft.ts";

const meta = (name: string) => ({ name, description: "" });
const here = (at: number, name = "here"): Draft => ({ baseVersion: 1, meta: meta(name), definition: {}, at });
/** By a clock that is a day ahead, as that of the service may be. */
const there = (revision: string, name = "there"): ServiceDraft => ({ ...here(86_400_000, name), revision });

describe("the draft that the builder opens", () => {
  it("is the only draft that exists", () => {
    expect(chooseDraft(undefined, undefined, undefined)).toBeUndefined();
    expect(chooseDraft(here(1), undefined, undefined)).toMatchObject({ here: true, other: undefined });
    expect(chooseDraft(undefined, there("a"), undefined)).toMatchObject({ here: false, other: undefined });
  });

  it("is the browser's if the service has what this browser sent, regardless of clocks", () => {
    expect(chooseDraft(here(5), there("a"), { at: 3, revision: "a" })).toMatchObject({ here: true, other: undefined });
  });

  it("is the service's if another device has continued it", () => {
    const chosen = chooseDraft(here(5), there("b"), { at: 5, revision: "a" });
    expect(chosen).toMatchObject({ here: false, draft: { meta: { name: "there" } }, other: undefined });
  });

  it("is the browser's, with the other one offered, if both devices have continued", () => {
    const chosen = chooseDraft(here(6), there("b"), { at: 5, revision: "a" });
    expect(chosen).toMatchObject({ here: true, other: { meta: { name: "there" } } });
  });

  it("is offered without a choice if both drafts are equal, as after a lost answer", () => {
    expect(chooseDraft(here(6), there("b", "here"), undefined)).toMatchObject({ here: true, other: undefined });
  });

  it("does not exist if this browser has removed the draft that the service still has", () => {
    expect(chooseDraft(undefined, there("a"), { at: 5, revision: "a" })).toBeUndefined();
  });
});
