import { useState } from "react";
import { words } from "../../messages/en-inspector.ts";
import formStyles from "../form.module.css";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { msOf, type Unit, UNITS, unitOf } from "./duration.ts";
import { FieldFrame } from "./field-frame.tsx";
import { docsOf } from "./model.ts";
import styles from "./step.module.css";
import { Switchable } from "./switchable.tsx";

/** A duration, stored in milliseconds and shown in a suitable unit. */
export function DurationField(props: StepFieldProps) {
  const { schema, label, required, value, pointer } = props;
  const { change, faults, readOnly } = useStepForm();
  const ms = typeof value === "number" ? value : undefined;
  const [chosen, setChosen] = useState<Unit>();
  const given = typeof schema.default === "number" ? schema.default : undefined;
  // Keeps the chosen unit until the duration changes from outside.
  const unit = chosen ?? unitOf(ms ?? given ?? msOf("s"));
  const shown = (time: number) => String(time / msOf(unit));
  return (
    <Switchable {...props}>
      {toggle => (
        <FieldFrame {...{ label, required }} control hint={docsOf(schema)} fault={faults.get(pointer)} aside={toggle}>
          {({ id, describedBy, invalid }) => (
            <div className={styles.duration}>
              <input
                id={id}
                type="number"
                min={0}
                step="any"
                className={styles.number}
                placeholder={given === undefined ? undefined : shown(given)}
                aria-describedby={describedBy}
                aria-invalid={invalid || undefined}
                readOnly={readOnly}
                value={ms === undefined ? "" : shown(ms)}
                onChange={({ target }) => {
                  setChosen(unit);
                  change(pointer, target.value === "" ? undefined : Math.round(Number(target.value) * msOf(unit)));
                }}
                onWheel={event => event.currentTarget.blur()}
              />
              <select
                className={formStyles.select}
                aria-label={words.unitOf(label)}
                disabled={readOnly}
                value={unit}
                onChange={({ target }) => {
                  const next = target.value as Unit;
                  setChosen(next);
                  if (ms !== undefined) change(pointer, Math.round((ms / msOf(unit)) * msOf(next)));
                }}
              >
                {UNITS.map(({ name }) => (
                  <option key={name} value={name}>
                    {words.unit[name]}
                  </option>
                ))}
              </select>
            </div>
          )}
        </FieldFrame>
      )}
    </Switchable>
  );
}
