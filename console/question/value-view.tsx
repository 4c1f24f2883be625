import { isRecord } from "../data/json.ts";
import { labelOf } from "../forms/schema.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { m } from "../messages/index.ts";
import styles from "./question.module.css";

const MAX_ROWS = 20;
const MAX_CHARS = 4_000;

/** The name of a file. Undefined for other values. */
function fileName(value: unknown): string | undefined {
  const file = isRecord(value) ? value.$file : undefined;
  return isRecord(file) && typeof file.name === "string" ? file.name : undefined;
}

const isFlat = (value: unknown) => value === null || typeof value !== "object" || fileName(value) !== undefined;

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return answerTexts.question.nothing;
  const name = fileName(value);
  if (name !== undefined) return name;
  if (typeof value === "boolean") return value ? answerTexts.question.yes : answerTexts.question.no;
  return typeof value === "number" ? m.number(value) : typeof value === "string" ? value : JSON.stringify(value);
};

function Json({ value }: { value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <>
      <pre className={styles.json}>{text.slice(0, MAX_CHARS)}</pre>
      {text.length > MAX_CHARS ? <p className={styles.quiet}>{answerTexts.question.clipped}</p> : null}
    </>
  );
}

/** Shows a value to people who decide about it: as rows of names and values if possible, or else as JSON. */
export function ValueView({ value }: { value: unknown }) {
  if (isFlat(value)) return <p className={styles.text}>{shown(value).slice(0, MAX_CHARS)}</p>;
  const entries = Array.isArray(value) ? [] : Object.entries(value as Record<string, unknown>);
  if (entries.length === 0 || entries.length > MAX_ROWS) return <Json value={value} />;
  return (
    <dl className={styles.values}>
      {entries.map(([name, one]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>{isFlat(one) ? shown(one).slice(0, MAX_CHARS) : <Json value={one} />}</dd>
        </div>
      ))}
    </dl>
  );
}
