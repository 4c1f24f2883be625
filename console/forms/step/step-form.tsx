import { type ComponentType, memo } from "react";
import { isRecord } from "../../data/json.ts";
import type { Schema } from "../schema.ts";
import { type PickerProps, type StepFieldProps, StepForms, type StepFormContext, useStepForm } from "./context.ts";
import { DurationField } from "./duration-field.tsx";
import { AnyField, JsonField } from "./json-field.tsx";
import { isKeyValue, KeyValueField } from "./key-value-field.tsx";
import { ListField } from "./list-field.tsx";
import { discriminatorOf, docsOf, hintsOf, typesOf, unwrapped, variantsOf } from "./model.ts";
import { Members, ObjectField } from "./object-field.tsx";
import { ChoiceField, NumberField, OptionsField, SwitchField } from "./plain-field.tsx";
import { SchemaField } from "./schema-field.tsx";
import { Switchable } from "./switchable.tsx";
import { TextField } from "./text-field.tsx";
import { TaggedMembers, UnionField } from "./union-field.tsx";

/** A text field that allows at least this many characters gets several lines. */
const MANY_CHARS = 5_000;

function PickerField({ Picker, ...props }: StepFieldProps & { Picker: ComponentType<PickerProps> }) {
  const { change, faults, readOnly } = useStepForm();
  const { schema, label, required, value, pointer } = props;
  return (
    <Switchable {...props}>
      {() => (
        <Picker
          {...{ schema, label, required, value, pointer, readOnly }}
          hint={docsOf(schema)}
          error={faults.get(pointer)}
          onChange={next => change(pointer, next)}
        />
      )}
    </Switchable>
  );
}

/** The field for one value, chosen by its schema and hints. */
const StepField = memo(function StepField(given: StepFieldProps) {
  const { root, pickers } = useStepForm();
  const schema = unwrapped(given.schema, root);
  const props = { ...given, schema };
  const { widget = "" } = hintsOf(schema);
  const types = typesOf(schema);
  const Picker = pickers[widget];
  if (Picker) return <PickerField {...props} Picker={Picker} />;
  if (widget === "code") return <TextField {...props} language="javascript" lines={12} numbered />;
  if (widget === "jsonSchema") return <SchemaField {...props} />;
  if (widget === "duration") return <DurationField {...props} />;
  if (widget === "text") return <TextField {...props} lines={4} />;
  const variants = variantsOf(schema, root);
  if (variants) return <UnionField {...props} variants={variants} Part={StepField} />;
  if (types.includes("array") && isRecord(schema.items)) {
    const isSet = schema.uniqueItems === true && Array.isArray(schema.items.enum);
    return isSet ? <OptionsField {...props} /> : <ListField {...props} Part={StepField} />;
  }
  if (isRecord(schema.properties)) return <ObjectField {...props} Part={StepField} />;
  if (isKeyValue(schema)) return <KeyValueField {...props} />;
  if (Array.isArray(schema.enum) || "const" in schema) return <ChoiceField {...props} />;
  if (types.length === 1 && types[0] === "boolean") return <SwitchField {...props} />;
  if (types.length === 1 && (types[0] === "number" || types[0] === "integer")) return <NumberField {...props} />;
  if (types.includes("string")) {
    const isLong = typeof schema.maxLength === "number" && schema.maxLength > MANY_CHARS && widget !== "expression";
    return <TextField {...props} lines={isLong ? 3 : 1} />;
  }
  return <AnyField {...props} />;
});

interface StepFormProps {
  context: StepFormContext;
  schema: Schema;
  value: unknown;
}

/** The form for the data or the policy of a step. */
export function StepForm({ context, schema, value }: StepFormProps) {
  const own = unwrapped(schema, context.root);
  const variants = variantsOf(own, context.root);
  const tag = variants && discriminatorOf(variants, context.root);
  const isForm = tag !== undefined || isRecord(own.properties);
  return (
    <StepForms value={context}>
      {tag !== undefined && variants ? (
        <TaggedMembers {...{ variants, tag, value }} pointer="" Part={StepField} />
      ) : isForm ? (
        <Members schema={own} value={value} pointer="" Part={StepField} />
      ) : (
        <JsonField schema={own} label="JSON" required value={value} pointer="" />
      )}
    </StepForms>
  );
}
