import { type ComponentType, createContext, use, useSyncExternalStore } from "react";
import type { EditorScope } from "../../editor/complete.ts";
import type { TextFault } from "../../editor/editor-options.ts";
import type { Faults } from "../check.ts";
import type { Schema } from "../schema.ts";

/** The result of an expression for the chosen sample, as evaluated by the service. */
export interface Preview {
  value: unknown;
  type: string;
  /** Whether the value was cut. */
  truncated: boolean;
  faults: readonly TextFault[];
}

/**
 * The previews of a step's fields. They are outside of the form's state, so that a changed preview renders only its
 * field.
 */
export interface Previews {
  subscribe: (listener: () => void) => () => void;
  at: (pointer: string) => Preview | undefined;
}

/** The props of a picker: a field that holds the id of something in the workspace, or a list of ids. */
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
  /** The step whose data the form edits. Undefined for settings of the workflow. */
  nodeId?: string;
  /** The whole schema of the data, to resolve `$ref`. */
  root: Schema;
  /** Sets the value at a JSON Pointer of the data. Undefined removes it. */
  change: (pointer: string, value: unknown) => void;
  /** By JSON Pointer of the data. */
  faults: Faults;
  /** Whether the step was just added. Then a field shows its fault only after the user has left the field. */
  fresh?: boolean;
  previews: Previews;
  scope: () => EditorScope | undefined;
  /** Whether braces are plain text instead of expressions. */
  literal: boolean;
  /**
   * Below this pointer, expressions are allowed only inside of texts, because nothing evaluates them in place of a
   * number or an object.
   */
  textsBelow?: string | undefined;
  readOnly: boolean;
  /**
   * The texts of JSON fields that are not valid yet, by pointer. They outlive the form, so that they are shown when the
   * step is opened again.
   */
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
