import { Suspense } from "react";
import { formTexts } from "../messages/en-forms.ts";
import { lazy } from "../ui/lazy.tsx";
import { ChoiceField, SeveralField } from "./choices.tsx";
import type { FieldProps } from "./field-props.tsx";
import { BooleanField, JsonField, NumberField, TextValueField } from "./inputs.tsx";
import { ListField, ObjectField, ObjectFields } from "./nested.tsx";

/** Loaded on demand, because few forms ask for files. */
const FileField = lazy(() => import("./file-field.tsx"), "FileField");

function AnyField({ field, ...rest }: FieldProps) {
  switch (field.kind) {
    case "text":
      return <TextValueField {...rest} field={field} />;
    case "number":
      return <NumberField {...rest} field={field} />;
    case "boolean":
      return <BooleanField {...rest} field={field} />;
    case "choice":
      return <ChoiceField {...rest} field={field} />;
    case "several":
      return <SeveralField {...rest} field={field} />;
    case "object":
      return <ObjectField {...rest} field={field} Part={AnyField} />;
    case "list":
      return <ListField {...rest} field={field} Part={AnyField} />;
    case "file":
      return (
        <Suspense fallback={null}>
          <FileField {...rest} field={field} />
        </Suspense>
      );
    case "json":
      return <JsonField {...rest} field={field} />;
  }
}

/**
 * A form for a JSON Schema, made of native controls. Get `field` from `fieldOf`, the first `value` from `initialOf`,
 * and `faults` from `faultsOf`.
 */
export function SchemaForm({ field, ...given }: Pick<FieldProps, "field" | "value" | "onChange" | "faults">) {
  const props = { ...given, label: field.title ?? formTexts.answer, required: true, pointer: "" };
  return field.kind === "object" ? (
    <ObjectFields {...props} field={field} Part={AnyField} />
  ) : (
    <AnyField {...props} field={field} />
  );
}

/** Moves the focus to the first field with a fault. */
export function focusFault(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid='true'], [data-fault]")?.focus();
}
