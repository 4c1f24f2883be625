import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { EditorScope } from "./complete.ts";
import type { Editor, TextFault } from "./editor-options.ts";
import { insertionAt, type ValuePath } from "./insertion.ts";
import type { Language } from "./tokens.ts";

export interface EditorField {
  value: string;
  language: Language;
  /** The name of the field, for screen readers. */
  label: string;
  hint?: string | undefined;
  placeholder?: string | undefined;
  /** 1 means a field of one line. */
  lines: number;
  numbered?: boolean;
  readOnly?: boolean;
  faults: readonly TextFault[];
  scope: () => EditorScope | undefined;
  onChange: (text: string) => void;
}

/** The initial state of an editor: the position of its cursor, and the text typed while it was loading. */
interface Opening {
  at: number | undefined;
  typed: string;
  /** Whether everything is selected. */
  all: boolean;
}

const load = () => import("./codemirror/mount.ts");

/**
 * Loads the editor before a field needs it, so that the first field opens without delay. A failure is ignored, because
 * the field then tries again.
 */
export const preloadEditor = (): void => void load().catch(() => undefined);

/**
 * The editor of a field. `state` is `static` until the field is opened. It is `plain`, a text area, if the editor could
 * not be loaded.
 */
export function useEditor(field: EditorField, host: RefObject<HTMLDivElement | null>, rest: () => void) {
  const [state, setState] = useState<"static" | "loading" | "open" | "plain">("static");
  const opening = useRef<Opening>({ at: undefined, typed: "", all: false });
  const editor = useRef<Editor>(undefined);
  const cursor = useRef<number>(undefined);
  const latest = useRef(field);
  /**
   * Values that the editor reported and the field has not taken yet. Any other value comes from outside, such as an
   * undo.
   */
  const told = useRef<string[]>([]);
  useEffect(() => {
    latest.current = field;
  });

  const close = () => {
    editor.current?.destroy();
    editor.current = undefined;
    told.current = [];
    // React would handle an event from a shadow root in a later task, and a key pressed until then would be lost.
    flushSync(() => setState("static"));
  };
  const open = (at?: number, typed = "", all = false) => {
    if (state === "loading") {
      opening.current.typed = all ? "" : opening.current.typed + typed;
      opening.current.all ||= all;
    }
    if (state !== "static") return;
    opening.current = { at: at ?? cursor.current, typed, all };
    setState("loading");
    load().then(
      ({ mount }) => {
        if (!host.current) return;
        // A hidden element cannot get the focus.
        host.current.hidden = false;
        const { value, language, label, hint, lines, numbered, readOnly, placeholder } = latest.current;
        editor.current = mount(host.current, {
          ...{ text: value, language, label, lines, placeholder },
          ...(hint !== undefined && { describedBy: hint }),
          ...(numbered && { numbered }),
          ...(readOnly && { readOnly }),
          at: opening.current.at,
          all: opening.current.all,
          scope: () => latest.current.scope(),
          onChange(text) {
            told.current.push(text);
            latest.current.onChange(text);
          },
          onBlur(at) {
            cursor.current = at;
            // If the whole window loses the focus, the editor stays open.
            setTimeout(() => {
              if (editor.current && !editor.current.hasFocus() && document.hasFocus()) close();
            });
          },
          onLeave() {
            close();
            rest();
          },
        });
        editor.current.setFaults(latest.current.faults);
        setState("open");
        editor.current.focus();
        editor.current.type(opening.current.typed);
      },
      () => setState("plain"),
    );
  };

  useEffect(() => {
    const known = told.current.indexOf(field.value);
    if (known >= 0) told.current.splice(0, known + 1);
    else if (editor.current) editor.current.setText(field.value);
  }, [field.value]);
  useEffect(() => editor.current?.setFaults(field.faults), [field.faults]);
  // A field that is left and opened again at once may have been hidden meanwhile, so the editor lost the focus.
  useLayoutEffect(() => {
    if (state === "open" && editor.current?.hasFocus() === false) editor.current.focus();
  }, [state]);
  useEffect(() => () => editor.current?.destroy(), []);

  /**
   * Inserts a path at the current or last position of the cursor. Returns false if no expression can name the value.
   */
  const insert = (path: ValuePath): boolean => {
    const { value, language, readOnly, onChange } = latest.current;
    const at = editor.current?.cursor() ?? Math.min(cursor.current ?? value.length, value.length);
    const text = readOnly ? undefined : insertionAt(value, at, path, language);
    if (text === undefined) return false;
    if (editor.current) editor.current.insert(text);
    else {
      onChange(value.slice(0, at) + text + value.slice(at));
      cursor.current = at + text.length;
    }
    return true;
  };
  return { state, open, insert };
}
