import styles from "./avatar.module.css";

/** Up to two letters of a name or an address. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/@.*$/, "")
    .split(/[\s._-]+/u)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : [words[0] ?? "?"];
  return letters.map(word => [...word][0]!.toUpperCase()).join("");
}

/** No colour of a state. */
const COLOURS = ["var(--orchil)", "var(--verdigris)", "var(--indigo)"];

/** The colour in which a colleague, and what the colleague changed, is shown. */
export function colourOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return COLOURS[sum % COLOURS.length]!;
}

/** A person as initials. The name stands beside it, or is given to screen readers. */
export function Avatar({
  name,
  size = 24,
  square = false,
  coloured = false,
}: {
  name: string;
  size?: 20 | 24 | 28 | 32;
  square?: boolean;
  /** In the colour of the person, where several are told apart. */
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
