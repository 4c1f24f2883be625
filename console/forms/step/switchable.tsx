import { SquareFunction } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { hasExpression } from "../../editor/tokens.ts";
import { words } from "../../messages/en-inspector.ts";
import { IconButton } from "../../ui/button.tsx";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { TextField } from "./text-field.tsx";

/** A new expression. The cursor starts between the braces. */
const EMPTY = "{{  }}";
const INSIDE = 3;

const isTextInput = (target: Element) =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && /^(text|search)$/.test(target.type)) ||
  // Braces in the expression editor belong to its text. The editor is in a shadow root, so events have its host as
  // their target.
  target.closest("[data-editor]") !== null;

/**
 * A control that users can replace with an expression, by typing `{` or by a button. `children` renders the control and
 * places the button beside its label.
 */
export function Switchable({ children, ...props }: StepFieldProps & { children: (toggle: ReactNode) => ReactNode }) {
  const { value, pointer, label } = props;
  const { change, literal, textsBelow, readOnly } = useStepForm();
  const [fresh, setFresh] = useState(false);
  const former = useRef<unknown>(undefined);
  const isExpression = hasExpression(value);
  const isFixed = textsBelow !== undefined && `${pointer}/`.startsWith(`${textsBelow}/`);
  if (literal || (isFixed && !isExpression)) return children(null);
  const toggle = () => {
    setFresh(!isExpression);
    change(pointer, isExpression ? former.current : EMPTY);
    former.current = isExpression ? undefined : value;
  };
  const button = (
    <IconButton
      size="small"
      label={words.expressionFor(label)}
      title={words.expression}
      aria-pressed={isExpression}
      onClick={toggle}
    >
      <SquareFunction size={14} aria-hidden />
    </IconButton>
  );
  if (isExpression || (fresh && typeof value === "string")) {
    return <TextField {...props} aside={button} openAt={fresh ? INSIDE : undefined} />;
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, currentTarget } = event;
    if (event.key !== "{" || readOnly || !(target instanceof Element) || isTextInput(target)) return;
    // Controls may be nested, as in an object. Only the innermost one is replaced.
    if (target.closest("[data-switchable]") !== currentTarget) return;
    event.preventDefault();
    toggle();
  };
  // Handles keys of the control inside, which keeps the focus.
  return (
    <div data-switchable onKeyDownCapture={onKeyDown}>
      {children(button)}
    </div>
  );
}
