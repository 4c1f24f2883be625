import type { ReactNode } from "react";
import { EditorBox } from "../../editor/editor-box.tsx";
import type { TextFault } from "../../editor/editor-options.ts";
import { hasExpression, type Language } from "../../editor/tokens.ts";
import { type StepFieldProps, usePreview, useStepForm } from "./context.ts";
import { FieldFrame } from "./field-frame.tsx";
import { defaultText, docsOf } from "./model.ts";

interface TextFieldProps extends StepFieldProps {
  language?: Language;
  lines?: number;
  numbered?: boolean;
  hideLabel?: boolean;
  placeholder?: string | undefined;
  aside?: ReactNode;
  openAt?: number | undefined;
  /** The text, if it represents another value, such as JSON. By default the text is the value. */
  text?: string;
  onText?: (text: string) => void;
  fault?: string | undefined;
}

const NO_FAULTS: readonly TextFault[] = [];

/** A text field, with the value of its expressions below it. */
export function TextField(props: TextFieldProps) {
  const { schema, label, required, value, pointer, language, lines = 1, aside, openAt, onText } = props;
  const { change, faults, scope, literal, readOnly } = useStepForm();
  const preview = usePreview(pointer);
  const text = props.text ?? (typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));
  const shown = !literal && hasExpression(text) ? preview : undefined;
  // A fault in an expression is shown once, with its position, instead of the value.
  const said = (shown?.faults.length ?? 0) > 0;
  const hint = docsOf(schema);
  const initial = schema.default;
  const placeholder = props.placeholder ?? (initial === undefined || initial === "" ? undefined : defaultText(initial));
  // An empty optional text is removed from the data.
  const set = (next: string) => change(pointer, next === "" && !required ? undefined : next);
  return (
    <FieldFrame
      {...{ label, required, hint, aside, preview: shown }}
      hideLabel={props.hideLabel}
      fault={props.fault ?? (said ? undefined : faults.get(pointer))}
      invalid={faults.has(pointer)}
    >
      {({ id, labelId, describedBy, invalid }) => (
        <EditorBox
          {...{ id, labelId, describedBy, invalid, label, hint, lines, readOnly, scope, placeholder, openAt }}
          language={language ?? (literal ? "text" : "template")}
          numbered={props.numbered ?? false}
          value={text}
          faults={shown?.faults ?? NO_FAULTS}
          onChange={onText ?? set}
        />
      )}
    </FieldFrame>
  );
}
