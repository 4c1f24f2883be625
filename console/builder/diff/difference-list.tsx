import { words } from "../../messages/en-builder.ts";
import { cx } from "../../ui/cx.ts";
import styles from "./difference-list.module.css";
import type { Difference } from "./difference.ts";
import { type Piece, wordChanges } from "./words.ts";

const MAX_FIELDS = 20;

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

function Head({ mark, title, id }: Difference) {
  return (
    <>
      <span className={styles.mark} data-mark={mark}>
        {words.changes[mark]}
      </span>
      <span className={styles.title}>{title || (id === undefined ? words.settingsChanged : id)}</span>
    </>
  );
}

function Pieces({ pieces, as: Mark }: { pieces: readonly Piece[]; as: "del" | "ins" }) {
  return pieces.map(({ text, changed }, n) => (changed ? <Mark key={n}>{text}</Mark> : text));
}

/** Both values of a field. If both exist, the words that differ are marked. */
function Field({ name, from, to }: Difference["fields"][number]) {
  const both = from !== undefined && to !== undefined;
  const pieces = wordChanges(from === undefined ? "" : textOf(from), to === undefined ? "" : textOf(to));
  return (
    <div data-both={both || undefined}>
      <dt>{name}</dt>
      {from === undefined ? null : (
        <dd className={styles.from}>
          <Pieces pieces={pieces.from} as="del" />
        </dd>
      )}
      {to === undefined ? null : (
        <dd className={styles.to}>
          <Pieces pieces={pieces.to} as="ins" />
        </dd>
      )}
    </div>
  );
}

interface DifferenceListProps {
  differences: readonly Difference[];
  /** The index of the difference that the canvas shows. */
  current?: number;
  /** With it, rows are buttons. */
  onPick?: (index: number) => void;
  /** The text for an empty list. */
  none?: string;
}

/** The differences between two versions: steps, connections and settings, with both values of each field. */
export function DifferenceList({ differences, current, onPick, none = words.noChanges }: DifferenceListProps) {
  if (differences.length === 0) return <p className={cx(styles.none, onPick && styles.inset)}>{none}</p>;
  return (
    <ul className={cx(styles.list, onPick && styles.inset)}>
      {differences.map((difference, n) => (
        <li key={`${difference.mark} ${difference.title} ${n}`}>
          {onPick ? (
            <button
              type="button"
              className={cx(styles.difference, n === current && styles.current)}
              onClick={() => onPick(n)}
            >
              <Head {...difference} />
            </button>
          ) : (
            <p className={styles.difference}>
              <Head {...difference} />
            </p>
          )}
          {difference.fields.length > 0 ? (
            <dl className={styles.fields}>
              {difference.fields.slice(0, MAX_FIELDS).map(field => (
                <Field key={field.name} {...field} />
              ))}
            </dl>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
