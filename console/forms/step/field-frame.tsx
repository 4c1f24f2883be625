import { type ReactNode, useId } from "react";
import { words } from "../../messages/en-inspector.ts";
import { cx } from "../../ui/cx.ts";
import { InlineMarkdown, WithCode } from "../../ui/markdown.tsx";
import { type Preview, useStepForm } from "./context.ts";
import styles from "./step.module.css";
import { useLeft } from "./use-left.ts";

interface FrameProps {
  label: string;
  hideLabel?: boolean | undefined;
  required: boolean;
  hint: string | undefined;
  fault: string | undefined;
  preview?: Preview | undefined;
  /** Whether the field has a fault. `fault` may still be empty. */
  invalid?: boolean;
  /** Shown at the end of the label's row. */
  aside?: ReactNode;
  /** Whether the control is an element that a label can refer to. */
  control?: boolean;
  children: (ids: { id: string; labelId: string; describedBy: string | undefined; invalid: boolean }) => ReactNode;
}

function PreviewLine({ preview, id }: { preview: Preview; id: string }) {
  const fault = preview.faults[0];
  const text = typeof preview.value === "string" ? preview.value : JSON.stringify(preview.value);
  return (
    <div className={cx(styles.preview, fault && styles.bad)} id={id} data-preview>
      {fault ? (
        <span className={styles.previewText}>{fault.message}</span>
      ) : (
        <>
          <span className={styles.previewText} title={text}>
            {text === "" ? words.emptyText : text}
            {preview.truncated ? "…" : ""}
          </span>
          <span className={styles.previewType}>{preview.type}</span>
        </>
      )}
    </div>
  );
}

/** The frame of a control: its label, the value of its expression, its hint and its fault. */
export function FieldFrame({
  label,
  hideLabel,
  required,
  hint: said,
  fault: found,
  preview,
  aside,
  control,
  children,
  invalid = false,
}: FrameProps) {
  const id = useId();
  const { readOnly, fresh } = useStepForm();
  const { left, onBlur } = useLeft();
  const silent = fresh && !left;
  const fault = silent ? undefined : found;
  // A hint that only repeats the label is left out.
  const hint = said?.toLowerCase() === `${label.toLowerCase()}.` ? undefined : said;
  const described = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : "", preview ? `${id}-value` : ""];
  const describedBy = described.filter(Boolean).join(" ") || undefined;
  const Label = control ? "label" : "span";
  return (
    <div role="presentation" className={styles.field} onBlur={onBlur}>
      <div className={cx(styles.head, hideLabel && !aside && "visually-hidden")}>
        <Label
          id={`${id}-label`}
          {...(control && { htmlFor: id })}
          className={cx(styles.label, hideLabel && "visually-hidden")}
        >
          {label}
          {required ? (
            <span className={styles.required} aria-hidden>
              {" *"}
            </span>
          ) : null}
          {required ? <span className="visually-hidden"> {words.required}</span> : null}
        </Label>
        {readOnly ? null : aside}
      </div>
      {children({ id, labelId: `${id}-label`, describedBy, invalid: !silent && (invalid || fault !== undefined) })}
      {preview ? <PreviewLine preview={preview} id={`${id}-value`} /> : null}
      {fault ? (
        <p className={styles.fault} id={`${id}-fault`}>
          <WithCode text={fault} />
        </p>
      ) : null}
      {hint ? (
        <p className={styles.hint} id={`${id}-hint`}>
          <InlineMarkdown text={hint} />
        </p>
      ) : null}
    </div>
  );
}
