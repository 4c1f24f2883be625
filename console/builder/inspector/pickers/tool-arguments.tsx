import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { isRecord } from "../../../data/json.ts";
import { toolsQuery } from "../../../data/pickable.ts";
import { type PickerProps, type StepFormContext, useStepForm } from "../../../forms/step/context.ts";
import { FieldFrame } from "../../../forms/step/field-frame.tsx";
import { KeyValueField } from "../../../forms/step/key-value-field.tsx";
import { JsonField } from "../../../forms/step/json-field.tsx";
import { StepForm } from "../../../forms/step/step-form.tsx";
import type { Schema } from "../../../forms/schema.ts";
import { words } from "../../../messages/en-inspector.ts";
import { Button } from "../../../ui/button.tsx";
import { useBuilder } from "../../builder-context.tsx";
import { dataOf, useNode } from "../../document/index.ts";
import { faultsBelow } from "../faults-below.ts";
import styles from "./pick.module.css";

const hasFields = (schema: unknown): schema is Schema =>
  isRecord(schema) && isRecord(schema.properties) && Object.keys(schema.properties).length > 0;

/** The form for a part of a step's data, with a schema of its own. */
function usePartForm(pointer: string, root: Schema): StepFormContext {
  const outer = useStepForm();
  return useMemo(
    () => ({
      ...outer,
      root,
      change: (at, value) => outer.change(pointer + at, value),
      faults: faultsBelow(
        [...outer.faults].map(([path, message]) => ({ path, message })),
        pointer,
      ),
      previews: { subscribe: outer.previews.subscribe, at: at => outer.previews.at(pointer + at) },
      pickers: {},
    }),
    [outer, root, pointer],
  );
}

function Fields({ pointer, takes, value }: { pointer: string; takes: Schema; value: unknown }) {
  return <StepForm context={usePartForm(pointer, takes)} schema={takes} value={isRecord(value) ? value : {}} />;
}

/** The arguments of a tool: fields for the tool's schema, or JSON. */
export function ToolArguments(props: PickerProps) {
  const { label, hint, error, required, value, pointer, schema } = props;
  const { doc, workspaceId } = useBuilder();
  const { nodeId = "" } = useStepForm();
  const { data: tools } = useQuery(toolsQuery(workspaceId));
  const { toolId } = dataOf(useNode(doc, nodeId));
  const [json, setJson] = useState(false);
  const takes = tools?.find(({ id }) => id === toolId)?.takes;
  const field = { schema, label, required, value, pointer };
  // Without a tool, or if the value is an expression or not an object, only names and values can be edited.
  if (!isRecord(takes) || (value !== undefined && !isRecord(value))) return <KeyValueField {...field} />;
  const toggle = (
    <Button size="small" tone="quiet" onClick={() => setJson(!json)}>
      {json ? words.toolArguments.asFields : words.asJson}
    </Button>
  );
  if (json) return <JsonField {...field} aside={toggle} />;
  return (
    <FieldFrame {...{ label, required, hint }} fault={error} aside={toggle}>
      {({ labelId }) => (
        <div role="group" aria-labelledby={labelId} className={styles.fields}>
          {hasFields(takes) ? <Fields {...{ pointer, takes, value }} /> : <p>{words.toolArguments.none}</p>}
        </div>
      )}
    </FieldFrame>
  );
}
