import {
  type DragEvent,
  type KeyboardEvent,
  type PointerEvent,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { cx } from "../ui/cx.ts";
import { draggedPath, PATH_TYPE } from "./dragged.ts";
import styles from "./editor.module.css";
import type { ValuePath } from "./insertion.ts";
import { LastFieldContext } from "./last-field.ts";
import { StaticText } from "./static-text.tsx";
import { type EditorField, useEditor } from "./use-editor.ts";

interface EditorBoxProps extends EditorField {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
  /** Opens the field at once at this position, because it replaced another control. */
  openAt?: number | undefined;
}

/** The offset in an element's text at a point of the page. */
function offsetAt(element: HTMLElement, x: number, y: number): number | undefined {
  const at = document.caretPositionFromPoint?.(x, y);
  if (!at || !element.contains(at.offsetNode)) return undefined;
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(at.offsetNode, at.offset);
  return range.toString().length;
}

const isTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/**
 * Static text that becomes an editor when it gets the focus, so that a form with thirty fields has at most one editor.
 */
export function EditorBox({ id, labelId, describedBy, invalid, openAt, ...field }: EditorBoxProps) {
  const { value, language, label, lines, placeholder, readOnly, onChange } = field;
  const host = useRef<HTMLDivElement>(null);
  const still = useRef<HTMLDivElement>(null);
  /** True while the static text has the focus but must not open: after Escape, and while the pointer is down. */
  const resting = useRef(false);
  const [over, setOver] = useState(false);
  const last = use(LastFieldContext);
  const { state, open, insert } = useEditor(field, host, () => {
    resting.current = true;
    still.current?.focus();
  });

  const latest = useRef({ label, insert });
  useEffect(() => {
    latest.current = { label, insert };
  });
  const [target] = useState(() => ({
    get label() {
      return latest.current.label;
    },
    insert: (path: ValuePath) => latest.current.insert(path),
  }));
  useEffect(() => () => last.closed(target), [last, target]);
  const appear = useEffectEvent(() => {
    if (openAt !== undefined) open(openAt);
  });
  // Only when the field replaced another control.
  useEffect(() => appear(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      open();
    } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
      event.preventDefault();
      open(undefined, "", true);
    } else if (isTyping(event)) {
      event.preventDefault();
      open(undefined, event.key);
    }
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button === 0) resting.current = true;
  };
  const onDrop = (event: DragEvent) => {
    setOver(false);
    const path = draggedPath(event.dataTransfer);
    if (!path) return;
    event.preventDefault();
    event.stopPropagation();
    last.opened(target);
    insert(path);
  };
  const size = lines > 8 ? styles.taller : lines > 2 ? styles.tall : undefined;
  return (
    <div
      role="presentation"
      data-editor
      className={styles.box}
      data-fault={invalid || undefined}
      data-drop={over || undefined}
      data-readonly={readOnly || undefined}
      onFocus={() => last.opened(target)}
      onDragOver={event => {
        if (!event.dataTransfer.types.includes(PATH_TYPE)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDropCapture={onDrop}
    >
      {state === "plain" ? (
        <textarea
          id={id}
          className={cx(styles.plain, size)}
          aria-labelledby={labelId}
          aria-describedby={describedBy}
          rows={lines}
          value={value}
          readOnly={readOnly}
          spellCheck={false}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <div
          id={id}
          ref={still}
          role="textbox"
          tabIndex={0}
          hidden={state === "open"}
          className={cx(styles.static, size)}
          aria-labelledby={labelId}
          aria-describedby={describedBy}
          aria-multiline={lines > 1}
          aria-readonly={readOnly}
          aria-invalid={invalid || undefined}
          onPointerDown={onPointerDown}
          onClick={event => {
            resting.current = false;
            open(offsetAt(event.currentTarget, event.clientX, event.clientY));
          }}
          onFocus={() => {
            if (resting.current) resting.current = false;
            else open();
          }}
          onKeyDown={onKeyDown}
        >
          {value === "" ? (
            <span className={styles.placeholder}>{placeholder ?? "\u200b"}</span>
          ) : (
            <StaticText text={value} language={language} />
          )}
        </div>
      )}
      <div ref={host} className={cx(styles.host, size)} hidden={state !== "open"} />
    </div>
  );
}
