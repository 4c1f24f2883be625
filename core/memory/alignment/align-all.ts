// Compares one statement with many, by their words alone.
import { weighed } from "../evidence/weigh.ts";
import { mayConcern, type Outline, outlineOf } from "./outline.ts";
import { type Profile, profileOf } from "./profile.ts";

/** A statement, read as far as was needed. */
class Read {
  readonly outline: Outline | null;
  readonly #content: string;
  #profile: Profile | undefined;

  constructor(content: string) {
    this.#content = content;
    this.outline = outlineOf(content);
  }

  /** To be called where there is an outline. */
  get profile(): Profile {
    return (this.#profile ??= profileOf(this.#content, this.outline!));
  }
}

/** The statements of busy users are compared again and again, so that the last ones stay read. */
const KEPT = 2_000;
const kept = new Map<string, Read>();

function readOf(content: string): Read {
  const read = kept.get(content) ?? new Read(content);
  kept.delete(content);
  kept.set(content, read);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return read;
}

/** What a statement does to others. */
interface Alignment<T> {
  same: T | null;
  outdated: T[];
}

/**
 * The first of the others that the statement repeats, or all of those that it makes out of date. Yields between the
 * comparisons.
 */
export function* alignmentSteps<T extends { content: string }>(
  content: string,
  others: readonly T[],
): Generator<void, Alignment<T>> {
  const outdated: T[] = [];
  const now = others.length > 0 ? readOf(content) : null;
  if (!now?.outline) return { same: null, outdated };
  for (const other of others) {
    yield;
    const before = readOf(other.content);
    if (!before.outline || !mayConcern(now.outline, before.outline)) continue;
    const found = weighed(now.profile, before.profile);
    if (found === "same") return { same: other, outdated: [] };
    if (found === "change") outdated.push(other);
  }
  return { same: null, outdated };
}
