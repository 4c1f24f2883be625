import type { EditorScope } from "./complete.ts";
import type { Language } from "./tokens.ts";

/** A fault in a text, with offsets from its beginning. */
export interface TextFault {
  message: string;
  from: number;
  to: number;
}

export interface EditorOptions {
  text: string;
  language: Language;
  /** The name of the field, for screen readers. */
  label: string;
  /** The id of the element that describes the field. */
  describedBy?: string | undefined;
  placeholder?: string | undefined;
  /** 1 means a field of one line. */
  lines: number;
  numbered?: boolean;
  readOnly?: boolean;
  /** Where the cursor starts. The default is the end. */
  at?: number | undefined;
  /** Whether the whole text is selected at first. */
  all?: boolean;
  scope: () => EditorScope | undefined;
  onChange: (text: string) => void;
  /** Called when the editor has lost the focus, with the position of its cursor. */
  onBlur: (cursor: number) => void;
  /** Called on Escape, unless something in the editor handled it. */
  onLeave: () => void;
}

export interface Editor {
  focus: () => void;
  hasFocus: () => boolean;
  setText: (text: string) => void;
  setFaults: (faults: readonly TextFault[]) => void;
  cursor: () => number;
  insert: (text: string) => void;
  /** Inserts a text as if the user typed it. */
  type: (text: string) => void;
  destroy: () => void;
}
