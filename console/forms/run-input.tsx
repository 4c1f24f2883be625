import { type ReactNode, useState } from "react";
import { jsonOf } from "../data/json-text.ts";
import { isRecord } from "../data/json.ts";
import { faultAt, faultsIn } from "../data/problem.ts";
import { TextArea } from "../ui/field.tsx";
import { faultsOf, faultsOfService, NO_FAULTS } from "./check.ts";
import styles from "./run-input.module.css";
import { fieldOf, type Schema } from "./schema.ts";
import { SchemaForm } from "./schema-form.tsx";
import { initialOf } from "./values.ts";

/** The input schema of a workflow. Undefined if its definition has none. */
export function inputSchemaOf(definition: unknown): Schema | undefined {
  const settings = isRecord(definition) ? definition.settings : undefined;
  return isRecord(settings) && isRecord(settings.inputSchema) ? settings.inputSchema : undefined;
}

interface RunInputOptions {
  /** The id of the workflow. Typed text belongs to it. */
  of: string;
  schema: Schema | undefined;
  /** The initial input. */
  example: unknown;
  /** Whether the user tried to send the input. From then on its faults are shown. */
  tried: boolean;
  /** The error of the service. */
  error: Error | null;
  words: { label: string; hint: string; bad: string };
  rows: number;
}

interface RunInput {
  /** Undefined if the typed text is not a valid input. */
  given: { value: unknown } | undefined;
  part: ReactNode;
  /** Whether the fields themselves show the service's faults. */
  tells: boolean;
}

/** The input of a run: a form if the workflow has an input schema, or else JSON. */
export function useRunInput({ of, schema, example, tried, error, words, rows }: RunInputOptions): RunInput {
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const [text, setText] = useState(() => (example == null ? "" : JSON.stringify(example, null, 2)));
  if (schema) {
    const field = fieldOf(schema);
    const value = of in values ? values[of] : (example ?? initialOf(field));
    const own = faultsOf(schema, value);
    const said = faultsOfService(faultsIn(error), "/input");
    const faults = own.size > 0 ? own : said;
    return {
      given: own.size === 0 ? { value } : undefined,
      tells: said.size > 0 && !said.has(""),
      part: (
        <fieldset className={styles.input}>
          <legend>{words.label}</legend>
          <SchemaForm
            field={field}
            value={value}
            onChange={next => setValues({ ...values, [of]: next })}
            faults={tried ? faults : NO_FAULTS}
          />
        </fieldset>
      ),
    };
  }
  const given = jsonOf(text);
  const said = error ? (faultAt(error, "/input") ?? faultAt(error, "")) : undefined;
  return {
    given,
    tells: said !== undefined,
    part: (
      <TextArea
        code
        label={words.label}
        hint={words.hint}
        error={said ?? (tried && !given ? words.bad : undefined)}
        rows={Math.min(16, Math.max(rows, text.split("\n").length + 1))}
        spellCheck={false}
        value={text}
        onChange={event => setText(event.target.value)}
      />
    ),
  };
}
