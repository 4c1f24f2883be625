import { type ComponentType, createContext, use, useSyncExternalStore } from "react";
import type { EditorScope } from "../../editor/complete.ts";
import type { TextFault } from "../../editor/editor-options.ts";
import type { Faults } from "../check.ts";
import type { Schema } from "../schema.ts";

/** What an expression gives for the chosen sample, as the service says. */
export interface Preview {
  value: unknown;
  type: string;
  /** The value is longer than what is shown. */
  truncated: boolean;
  faults: readonly TextFault[];
}

/** Where the previews of a step's fields are. They are no state of the form, so that one field is drawn when one changes. */
export interface Previews {
  subscribe: (listener: () => void) => () => void;
  at: (pointer: string) => Preview | undefined;
}

/** What a picker gets: a field that holds the id of something in the workspace, or a list of ids. */
export interface PickerProps {
  schema: Schema;
  label: string;
  hint: string | undefined;
  error: string | undefined;
  required: boolean;
  value: unknown;
  pointer: string;
  onChange: (value: unknown) => void;
  readOnly: boolean;
}

export interface StepFormContext {
  /** The step that the form is of. Undefined for settings of the workflow. */
  nodeId?: string;
  /** The whole schema of the data, for `$ref`. */
  root: Schema;
  /** Sets the value at a JSON Pointer of the data; undefined takes it away. */
  change: (pointer: string, value: unknown) => void;
  /** By JSON Pointer of the data. */
  faults: Faults;
  previews: Previews;
  scope: () => EditorScope | undefined;
  /** Braces are not expressions. */
  literal: boolean;
  /** Below this pointer, expressions are in texts alone: nothing evaluates them in place of a number or an object. */
  textsBelow?: string | undefined;
  readOnly: boolean;
  /** Text of JSON fields that is not JSON yet, by pointer. It outlives the form, so that it is there when the step is opened again. */
  unread: Map<string, string>;
  /** By the name of the widget. */
  pickers: Readonly<Record<string, ComponentType<PickerProps>>>;
}

export const StepForms = createContext<StepFormContext | null>(null);

export function useStepForm(): StepFormContext {
  const context = use(StepForms);
  if (!context) throw new Error("This field belongs to no form of a step");
  return context;
}

export function usePreview(pointer: string): Preview | undefined {
  const { previews } = useStepForm();
  return useSyncExternalStore(previews.subscribe, () => previews.at(pointer));
}

export interface StepFieldProps {
  schema: Schema;
  label: string;
  required: boolean;
  value: unknown;
  pointer: string;
}
