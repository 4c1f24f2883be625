import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { formTexts } from "../../messages/en-forms.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { FieldFrame } from "./field-frame.tsx";
import { docsOf } from "./model.ts";
import styles from "./step.module.css";

interface RowsFrameProps extends Pick<StepFieldProps, "schema" | "label" | "required" | "pointer"> {
  aside: ReactNode;
  /** The label of the button that adds a row. */
  add: string;
  onAdd: () => void;
  /** Whether no more rows are allowed. */
  full?: boolean;
  children: ReactNode;
}

/** The frame of a field that consists of rows, with the button that adds one. */
export function RowsFrame({ schema, label, required, pointer, aside, add, onAdd, full, children }: RowsFrameProps) {
  const { faults, readOnly } = useStepForm();
  return (
    <FieldFrame {...{ label, required, aside }} hint={docsOf(schema)} fault={faults.get(pointer)}>
      {({ labelId, describedBy }) => (
        <div role="group" aria-labelledby={labelId} aria-describedby={describedBy} className={styles.pairs}>
          {children}
          {readOnly ? null : (
            <Button
              size="small"
              tone="quiet"
              className={styles.add}
              icon={<Plus size={14} aria-hidden />}
              aria-label={formTexts.addTo(add, label)}
              disabled={full}
              onClick={onAdd}
            >
              {add}
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  );
}

interface RemoveRowProps {
  /** The name of what is removed, for screen readers. */
  what: string;
  onRemove: () => void;
  className?: string | undefined;
}

export const RemoveRow = ({ what, onRemove, className }: RemoveRowProps) => (
  <IconButton size="small" className={className} label={formTexts.remove(what)} onClick={onRemove}>
    <X size={14} aria-hidden />
  </IconButton>
);
