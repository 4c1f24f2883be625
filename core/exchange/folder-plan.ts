/** The state of a file after the last pull or push. Maps use the key of the file. */
export interface KnownState {
  id: string;
  /** A hash of the content in its canonical form: see `hashOf` of the command line. */
  sha256: string;
}

export interface LocalState {
  sha256: string;
}

export interface RemoteState {
  id: string;
  sha256: string;
  /** An earlier push created it and was interrupted before it wrote the content. */
  unfinished?: boolean;
}

/** How one object changed on both sides since the sides were last equal. */
export type Difference = "same" | "here" | "there" | "both" | "new-here" | "new-there" | "gone-here" | "gone-there";

/** Compares the two sides of one object. Without `known`, they have never been equal. */
export function differenceOf(
  here: LocalState | undefined,
  there: RemoteState | undefined,
  known: KnownState | undefined,
): Difference {
  if (here && there) {
    if (here.sha256 === there.sha256) return "same";
    if (there.unfinished) return "here";
    const isMine = here.sha256 !== known?.sha256;
    const isTheirs = there.sha256 !== known?.sha256;
    return isMine && isTheirs ? "both" : isMine ? "here" : "there";
  }
  if (here) return !known ? "new-here" : here.sha256 === known.sha256 ? "gone-there" : "both";
  if (there) return !known ? "new-there" : there.sha256 === known.sha256 ? "gone-here" : "both";
  return "same";
}

export interface Sides {
  key: string;
  here?: LocalState | undefined;
  there?: RemoteState | undefined;
  known?: KnownState | undefined;
}

export interface Planned extends Sides {
  difference: Difference;
}

/** Compares all objects of both sides, in the order of the keys. */
export function compareSides(
  here: ReadonlyMap<string, LocalState>,
  there: ReadonlyMap<string, RemoteState>,
  known: ReadonlyMap<string, KnownState>,
): Planned[] {
  const keys = [...new Set([...here.keys(), ...there.keys(), ...known.keys()])].sort();
  return keys.map(key => {
    const sides = { key, here: here.get(key), there: there.get(key), known: known.get(key) };
    return { ...sides, difference: differenceOf(sides.here, sides.there, sides.known) };
  });
}
