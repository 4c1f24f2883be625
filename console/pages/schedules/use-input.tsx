import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { jsonOf } from "../../data/json-text.ts";
import { workflowQuery } from "../../data/workflows.ts";
import { faultsOf } from "../../forms/check.ts";
import { fieldOf, isRecord } from "../../forms/schema.ts";
import { SchemaForm } from "../../forms/schema-form.tsx";
import { initialOf } from "../../forms/values.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { TextArea } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./schedules.module.css";

type Address = Parameters<typeof workflowQuery>[1];

const NO_FAULTS = new Map<string, string>();
const schemaOf = (definition: unknown) => {
  const settings = isRecord(definition) ? definition.settings : undefined;
  return isRecord(settings) && isRecord(settings.inputSchema) ? settings.inputSchema : undefined;
};

interface Input {
  /** Undefined while the workflow is read, or where what is typed is no valid input. */
  given: { value: unknown } | undefined;
  part: ReactNode;
}

/** The input of a workflow: a form where it says what it takes, and JSON elsewhere. What is typed for one stays with it. */
export function useInput(workspaceId: string, at: Address | undefined, initial: unknown, tried: boolean): Input {
  const { data, error } = useQuery({
    ...workflowQuery(workspaceId, at ?? { id: "", spaceId: "" }),
    enabled: at !== undefined,
  });
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const [text, setText] = useState(() => (initial == null ? "" : JSON.stringify(initial, null, 2)));
  if (at && !data && !error) return { given: undefined, part: <Skeleton width={240} /> };
  const schema = schemaOf(data?.definition);
  if (schema && at) {
    const field = fieldOf(schema);
    const value = at.id in values ? values[at.id] : (initial ?? initialOf(field));
    const faults = faultsOf(schema, value);
    return {
      given: faults.size === 0 ? { value } : undefined,
      part: (
        <fieldset className={styles.input}>
          <legend>{words.schedules.input}</legend>
          <SchemaForm
            field={field}
            value={value}
            onChange={next => setValues({ ...values, [at.id]: next })}
            faults={tried ? faults : NO_FAULTS}
          />
        </fieldset>
      ),
    };
  }
  const given = jsonOf(text);
  return {
    given: given ?? undefined,
    part: (
      <TextArea
        code
        rows={3}
        label={words.schedules.input}
        hint={words.schedules.inputHint}
        error={tried && !given ? words.schedules.inputBad : undefined}
        spellCheck={false}
        value={text}
        onChange={event => setText(event.target.value)}
      />
    ),
  };
}
