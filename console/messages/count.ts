const plurals = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en");

export const numberText = (n: number): string => numbers.format(n);

/** A number with the singular or plural of its noun. */
export const count = (n: number, one: string, other: string): string =>
  `${numberText(n)} ${plurals.select(n) === "one" ? one : other}`;
