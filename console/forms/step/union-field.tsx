import { type ComponentType, useRef } from "react";
import { isRecord } from "../../data/json.ts";
import { formTexts } from "../../messages/en-forms.ts";
import formStyles from "../form.module.css";
import { memberOf } from "../values.ts";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { FieldFrame } from "./field-frame.tsx";
import { docsOf, initialValueOf, looksLike, membersOf, type Variant } from "./model.ts";
import { Members } from "./object-field.tsx";
import styles from "./step.module.css";
import { Switchable } from "./switchable.tsx";

type Part = ComponentType<StepFieldProps>;

const NONE = -1;
const isConstant = ({ schema }: Variant) => "const" in schema;

interface UnionProps extends StepFieldProps {
  variants: readonly Variant[];
  Part: Part;
}

/** A value with one of several shapes: a choice of the shape, and its fields. */
export function UnionField({ variants, Part, ...props }: UnionProps) {
  const { schema, label, required, value, pointer } = props;
  const { change, faults, readOnly, root } = useStepForm();
  /** The values of shapes that were chosen before. */
  const former = useRef(new Map<number, unknown>());
  const at = value === undefined ? NONE : variants.findIndex(one => looksLike(value, one.schema, root));
  const chosen = variants[at];
  /** The field of a value without members. It has the pointer of the union, and shows its fault. */
  const single = chosen && !isConstant(chosen) && !isRecord(chosen.schema.properties);
  const fault = single ? undefined : faults.get(pointer);
  const choose = (next: number) => {
    if (at !== NONE) former.current.set(at, value);
    const begun = variants[next] && (former.current.get(next) ?? initialValueOf(variants[next].schema, root));
    change(pointer, begun);
  };
  return (
    <Switchable {...props}>
      {toggle => (
        <FieldFrame {...{ label, required }} control hint={docsOf(schema)} fault={fault} aside={toggle}>
          {({ id, describedBy, invalid }) => (
            <div className={styles.union}>
              <select
                id={id}
                className={formStyles.select}
                aria-describedby={describedBy}
                aria-invalid={invalid || undefined}
                disabled={readOnly}
                value={at}
                onChange={event => choose(Number(event.target.value))}
              >
                {at === NONE || !required ? (
                  <option value={NONE}>
                    {value === undefined ? formTexts.none : at < 0 ? JSON.stringify(value) : formTexts.none}
                  </option>
                ) : null}
                {variants.map((one, n) => (
                  <option key={n} value={n}>
                    {one.label}
                  </option>
                ))}
              </select>
              {single ? (
                <Part schema={chosen.schema} label={chosen.label} required value={value} pointer={pointer} />
              ) : chosen && !isConstant(chosen) ? (
                <div className={styles.group}>
                  <Members schema={chosen.schema} {...{ value, pointer, Part }} />
                </div>
              ) : null}
            </div>
          )}
        </FieldFrame>
      )}
    </Switchable>
  );
}

/** The data of a type whose fields depend on one member, such as the action of a memory step. */
export function TaggedMembers({
  variants,
  tag,
  value,
  pointer,
  Part,
}: Omit<UnionProps, keyof StepFieldProps> & { tag: string; value: unknown; pointer: string }) {
  const { change, root } = useStepForm();
  const tagOf = ({ schema }: Variant) => membersOf(schema, root).find(({ name }) => name === tag)!;
  const constantOf = (variant: Variant) => tagOf(variant).schema.const;
  const given = memberOf(value, tag);
  const chosen = variants.find(one => constantOf(one) === given) ?? variants[0]!;
  const { label, schema } = tagOf(chosen);
  const choose = (next: unknown) => {
    const variant = variants.find(one => constantOf(one) === next);
    if (!variant) return;
    const known = new Set(membersOf(variant.schema, root).map(({ name }) => name));
    const kept = Object.entries(isRecord(value) ? value : {}).filter(([name]) => known.has(name));
    change(pointer, { ...Object.fromEntries(kept), [tag]: next });
  };
  return (
    <div className={styles.fields}>
      <TagField label={label} schema={schema} options={variants.map(constantOf)} value={given} onChange={choose} />
      <Members schema={chosen.schema} without={tag} {...{ value, pointer, Part }} />
    </div>
  );
}

interface TagProps {
  label: string;
  schema: StepFieldProps["schema"];
  options: unknown[];
  value: unknown;
  onChange: (value: unknown) => void;
}

function TagField({ label, schema, options, value, onChange }: TagProps) {
  const { readOnly } = useStepForm();
  return (
    <FieldFrame label={label} required control hint={docsOf(schema)} fault={undefined}>
      {({ id, describedBy }) => (
        <select
          id={id}
          className={formStyles.select}
          aria-describedby={describedBy}
          disabled={readOnly}
          value={options.indexOf(value)}
          onChange={event => onChange(options[Number(event.target.value)])}
        >
          {options.includes(value) ? null : <option value={-1}>{formTexts.choose}</option>}
          {options.map((one, n) => (
            <option key={n} value={n}>
              {String(one)}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
