/** A workflow as the last pull or push left it, by its slug. */
export interface Known {
  id: string;
  version: number;
  /** Of the bytes of the file. */
  sha256: string;
}

export interface Here {
  sha256: string;
}

export interface There {
  id: string;
  version: number;
  /** Of the bytes that a pull would write. */
  sha256: string;
}

/** What has become of one workflow on both sides since they were last equal. */
export type Difference = "same" | "here" | "there" | "both" | "new-here" | "new-there" | "gone-here" | "gone-there";

/** Compares the two sides of a workflow. Without `known`, they have never been equal. */
export function differenceOf(here: Here | undefined, there: There | undefined, known: Known | undefined): Difference {
  if (here && there) {
    if (here.sha256 === there.sha256) return "same";
    const isMine = here.sha256 !== known?.sha256;
    const isTheirs = there.sha256 !== known?.sha256;
    return isMine && isTheirs ? "both" : isMine ? "here" : "there";
  }
  if (here) return !known ? "new-here" : here.sha256 === known.sha256 ? "gone-there" : "both";
  if (there) return !known ? "new-there" : there.sha256 === known.sha256 ? "gone-here" : "both";
  return "same";
}

export interface Sides {
  slug: string;
  here?: Here | undefined;
  there?: There | undefined;
  known?: Known | undefined;
}

export interface Planned extends Sides {
  difference: Difference;
}

/** The workflows of both sides, in the order of their slugs. */
export function compareSides(
  here: ReadonlyMap<string, Here>,
  there: ReadonlyMap<string, There>,
  known: ReadonlyMap<string, Known>,
): Planned[] {
  const slugs = [...new Set([...here.keys(), ...there.keys(), ...known.keys()])].sort();
  return slugs.map(slug => {
    const sides = { slug, here: here.get(slug), there: there.get(slug), known: known.get(slug) };
    return { ...sides, difference: differenceOf(sides.here, sides.there, sides.known) };
  });
}
