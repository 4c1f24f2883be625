import { gistOf, isAboutPast } from "./gist.ts";
import { keyOf } from "./normalise.ts";

/** A statement in the forms in which two are compared for equality. */
interface Normalised {
  key: string;
  gist: string | null;
  isPast: boolean;
}

export const normalise = (content: string): Normalised => ({
  key: keyOf(content),
  gist: gistOf(content),
  isPast: isAboutPast(content),
});

const known = new WeakMap<{ content: string }, Normalised>();

/** A text is compared with each of its own facts, so a candidate is normalised once. */
export function normalisedOf(candidate: { content: string }): Normalised {
  const found = known.get(candidate);
  if (found) return found;
  const made = normalise(candidate.content);
  known.set(candidate, made);
  return made;
}
