import styles from "./avatar.module.css";

/** The initials of a name or an address, at most two letters. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/@.*$/, "")
    .split(/[\s._-]+/u)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : [words[0] ?? "?"];
  return letters.map(word => [...word][0]!.toUpperCase()).join("");
}

/** Colours that no state uses. */
const COLOURS = ["var(--orchil)", "var(--verdigris)", "var(--indigo)"];

/** The colour of a person and of the changes that the person made. */
export function colourOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return COLOURS[sum % COLOURS.length]!;
}

/** A person as initials. The name must be beside it or is given to screen readers. */
export function Avatar({
  name,
  size = 24,
  square = false,
  coloured = false,
}: {
  name: string;
  size?: 20 | 24 | 28 | 32;
  square?: boolean;
  /** Whether it has the colour of the person, to tell several people apart. */
  coloured?: boolean;
}) {
  return (
    <span
      className={styles.avatar}
      data-size={size}
      data-square={square || undefined}
      style={coloured ? { ["--person" as string]: colourOf(name) } : undefined}
      data-coloured={coloured || undefined}
      aria-hidden
    >
      {initialsOf(name)}
    </span>
  );
}
