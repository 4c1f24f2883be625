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

/** A person as initials. The name stands beside it, or is given to screen readers. */
export function Avatar({
  name,
  size = 24,
  square = false,
}: {
  name: string;
  size?: 20 | 24 | 28 | 32;
  square?: boolean;
}) {
  return (
    <span className={styles.avatar} data-size={size} data-square={square || undefined} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}
