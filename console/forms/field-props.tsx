import type { ComponentType } from "react";
import { formTexts } from "../messages/en-forms.ts";
import type { Faults } from "./check.ts";
import styles from "./form.module.css";
import type { FieldModel } from "./schema.ts";

interface FieldState {
  label: string;
  required: boolean;
  /** Undefined while the field is empty. */
  value: unknown;
  onChange: (value: unknown) => void;
  /** The JSON Pointer of the value. */
  pointer: string;
  faults: Faults;
}

export type FieldProps<K extends FieldModel["kind"] = FieldModel["kind"]> = FieldState & {
  field: Extract<FieldModel, { kind: K }>;
};

/** Renders a field of any kind, for fields that contain others. */
export type FieldComponent = ComponentType<FieldProps>;

/** A text whose parts between backticks are code. */
const withCode = (text: string) =>
  text.split(/`([^`]+)`/).map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part));

/** A hint that only repeats the label is left out. */
function hintOf(said: string | undefined, label: string) {
  const isSame = said?.toLowerCase().replace(/^the |\.$/g, "") === label.toLowerCase();
  return said === undefined || isSame ? undefined : withCode(said);
}

/** The hint and the fault of a field, and whether it is optional. */
export const fieldMessages = ({ field, label, required, pointer, faults }: FieldProps) => ({
  label,
  hint: hintOf(field.description, label),
  error: faults.get(pointer),
  aside: required ? undefined : <span className={styles.optional}>{formTexts.optional}</span>,
});

/** The value of an empty field. */
export const emptyOf = ({ nullable }: FieldModel): unknown => (nullable ? null : undefined);
