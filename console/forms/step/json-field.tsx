import { type FocusEvent, type ReactNode, useState } from "react";
import { sameJson } from "../../data/json.ts";
import { words } from "../../messages/en-inspector.ts";
import { formTexts } from "../../messages/en-forms.ts";
import { Button } from "../../ui/button.tsx";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { hintsOf } from "./model.ts";
import { TextField } from "./text-field.tsx";

const asJson = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2));
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: text.trim() === "" ? undefined : (JSON.parse(text) as unknown) };
  } catch {
    return undefined;
  }
}

/** A text field for JSON. Invalid text stays in the field with a message, and does not change the value. */
export function JsonField({ aside, ...props }: StepFieldProps & { aside?: ReactNode }) {
  const { change, unread } = useStepForm();
  const [text, setText] = useState(() => unread.get(props.pointer) ?? asJson(props.value));
  const read = parsed(text);
  // Shows changes from outside, such as an undo. Otherwise the field keeps the user's own formatting.
  const [seen, setSeen] = useState(props.value);
  if (!sameJson(seen, props.value)) {
    setSeen(props.value);
    if (!read || !sameJson(read.value, props.value)) setText(asJson(props.value));
  }
  const onText = (next: string) => {
    setText(next);
    const found = parsed(next);
    if (!found) return void unread.set(props.pointer, next);
    unread.delete(props.pointer);
    setSeen(found.value);
    change(props.pointer, found.value);
  };
  return (
    <TextField
      {...props}
      language="json"
      lines={4}
      aside={aside}
      text={text}
      onText={onText}
      fault={read ? undefined : formTexts.fault.unreadable}
    />
  );
}

/** A value of any type: text with expressions, or JSON whose strings may contain expressions. */
export function AnyField(props: StepFieldProps) {
  const { value, pointer } = props;
  const { change, literal } = useStepForm();
  const isText = typeof value === "string" || value === undefined;
  const [asked, setAsked] = useState<"text" | "json">();
  const usual = value === undefined && hintsOf(props.schema).widget !== "expression" ? "json" : "text";
  const mode = literal ? "json" : isText ? (asked ?? usual) : "json";
  const toggle = literal ? null : (
    <Button
      size="small"
      tone="quiet"
      onClick={() => {
        setAsked(mode === "json" ? "text" : "json");
        if (mode === "json" && !isText) change(pointer, JSON.stringify(value));
        const read = mode === "text" && typeof value === "string" ? parsed(value) : undefined;
        if (read && typeof read.value !== "string") change(pointer, read.value);
      }}
    >
      {mode === "json" ? words.asText : words.asJson}
    </Button>
  );
  if (mode === "json") return <JsonField {...props} aside={toggle} />;
  /** Text that looks like an object or a list becomes one, unless the user chose text. */
  const settle = () => {
    const read = asked === undefined && typeof value === "string" ? parsed(value) : undefined;
    if (typeof read?.value === "object" && read.value !== null) change(pointer, read.value);
  };
  // A closing editor returns the focus to its field a moment later. That does not count as leaving the field.
  const onBlur = ({ currentTarget }: FocusEvent) =>
    void setTimeout(() => void (currentTarget.contains(document.activeElement) || settle()));
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the focus leaves what is inside
    <div onBlur={onBlur}>
      <TextField {...props} lines={2} aside={toggle} />
    </div>
  );
}
