import type { ReactNode } from "react";
import { SeveralField } from "../choices.tsx";
import formStyles from "../form.module.css";
import { fieldOf } from "../schema.ts";
import { words } from "../../messages/en-inspector.ts";
import { formTexts } from "../../messages/en-forms.ts";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { FieldFrame } from "./field-frame.tsx";
import { defaultText, docsOf, titleOf } from "./model.ts";
import styles from "./step.module.css";
import { Switchable } from "./switchable.tsx";

/** The attributes that connect a control with its label, hint and fault. */
interface Control {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

type Choice = string | number | boolean | null;

function choicesOf(schema: StepFieldProps["schema"]): Choice[] {
  if (Array.isArray(schema.enum)) return schema.enum as Choice[];
  return "const" in schema ? [schema.const as Choice] : [];
}

const choiceText = (choice: Choice) => (choice === "" ? words.emptyText : String(choice));

/** A control with its frame. Users can replace the control with an expression. */
function PlainFrame({ children, ...props }: StepFieldProps & { children: (control: Control) => ReactNode }) {
  const { schema, label, required, pointer } = props;
  const { faults } = useStepForm();
  return (
    <Switchable {...props}>
      {toggle => (
        <FieldFrame {...{ label, required }} control hint={docsOf(schema)} fault={faults.get(pointer)} aside={toggle}>
          {({ id, describedBy, invalid }) =>
            children({ id, "aria-describedby": describedBy, "aria-invalid": invalid || undefined })
          }
        </FieldFrame>
      )}
    </Switchable>
  );
}

/** A select for a few values. */
export function ChoiceField(props: StepFieldProps) {
  const { schema, required, value, pointer } = props;
  const { change, readOnly } = useStepForm();
  const choices = choicesOf(schema);
  const at = choices.findIndex(one => one === value);
  const without = "default" in schema ? words.byDefault(choiceText(schema.default as Choice)) : formTexts.none;
  return (
    <PlainFrame {...props}>
      {control => (
        <select
          {...control}
          className={formStyles.select}
          disabled={readOnly}
          value={at}
          onChange={event => change(pointer, choices[Number(event.target.value)])}
        >
          {at < 0 || !required ? (
            <option value={-1}>
              {value === undefined ? (required ? formTexts.choose : without) : at < 0 ? JSON.stringify(value) : without}
            </option>
          ) : null}
          {choices.map((one, n) => (
            <option key={n} value={n}>
              {choiceText(one)}
            </option>
          ))}
        </select>
      )}
    </PlainFrame>
  );
}

export function SwitchField(props: StepFieldProps) {
  const { schema, value, pointer } = props;
  const { change, readOnly } = useStepForm();
  return (
    <PlainFrame {...props}>
      {control => (
        <input
          {...control}
          type="checkbox"
          className={styles.check}
          disabled={readOnly}
          checked={(value ?? schema.default) === true}
          onChange={event => change(pointer, event.target.checked)}
        />
      )}
    </PlainFrame>
  );
}

export function NumberField(props: StepFieldProps) {
  const { schema, value, pointer } = props;
  const { change, readOnly } = useStepForm();
  const isWhole = schema.type === "integer";
  return (
    <PlainFrame {...props}>
      {control => (
        <input
          {...control}
          type="number"
          className={styles.number}
          step={isWhole ? 1 : "any"}
          placeholder={schema.default === undefined ? undefined : defaultText(schema.default)}
          readOnly={readOnly}
          value={typeof value === "number" ? value : ""}
          onChange={event => change(pointer, event.target.value === "" ? undefined : Number(event.target.value))}
          // The wheel must scroll the form without changing the number.
          onWheel={event => event.currentTarget.blur()}
        />
      )}
    </PlainFrame>
  );
}

/** Checkboxes for the options of a list. */
export function OptionsField({ schema, label, required, value, pointer }: StepFieldProps) {
  const { change, faults } = useStepForm();
  const field = fieldOf(schema);
  if (field.kind !== "several") return null;
  return (
    <SeveralField
      {...{ field, required, value, pointer, faults }}
      label={label || titleOf(schema, pointer)}
      onChange={next => change(pointer, next)}
    />
  );
}
