/** One character for each passage of an entry. `1` means that the passage has a vector. */
export const noVectors = (passages: number): string => "0".repeat(passages);

/** The flags with those of these passages set. */
export const withVectors = (flags: string, places: ReadonlySet<number>): string =>
  [...flags].map((flag, place) => (places.has(place) ? "1" : flag)).join("");

export const isComplete = (flags: string): boolean => !flags.includes("0");
