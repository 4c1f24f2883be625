/** Words in names of time zones that are not one capital letter followed by small letters. */
const WORDS = [
  ..."ACT CHAT CST6CDT EST5EDT GB GMT GMT0 IN LHI MST7MDT NSW NZ PST8PDT SU UCT US UTC".split(" "),
  ..."BajaNorte BajaSur ComodRivadavia DeNoronha EasterIsland".split(" "),
];
const words = new Map(WORDS.map(word => [word.toLowerCase(), word]));
const capital = (word: string) => words.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1);

let listed: Map<string, string> | undefined;

/**
 * Corrects the letter case of a time zone's name: `europe/berlin` becomes `Europe/Berlin`. An alias stays: it does not
 * become the name that it stands for, as `Intl` would make of it. A name that this process does not know stays too.
 */
export function zoneName(name: string): string {
  listed ??= new Map(Intl.supportedValuesOf("timeZone").map(one => [one.toLowerCase(), one]));
  const lower = name.toLowerCase();
  const found = listed.get(lower);
  if (found !== undefined) return found;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
  } catch {
    return name;
  }
  // Short names are abbreviations, such as CET.
  return lower.length <= 3 ? name.toUpperCase() : lower.replace(/[a-z0-9]+/g, capital);
}
