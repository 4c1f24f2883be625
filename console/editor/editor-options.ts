import type { EditorScope } from "./complete.ts";
import type { Language } from "./tokens.ts";

/** What is wrong in a text, and where: offsets from its beginning. */
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
  /** What is said about the field beside its name. */
  describedBy?: string | undefined;
  placeholder?: string | undefined;
  /** 1 for a field of one line. */
  lines: number;
  numbered?: boolean;
  readOnly?: boolean;
  /** Where the cursor begins. Default: the end. */
  at?: number | undefined;
  /** The whole text is selected at first. */
  all?: boolean;
  scope: () => EditorScope | undefined;
  onChange: (text: string) => void;
  /** The editor has lost the focus; the cursor was here. */
  onBlur: (cursor: number) => void;
  /** Escape was pressed, and nothing else took it. */
  onLeave: () => void;
}

export interface Editor {
  focus: () => void;
  hasFocus: () => boolean;
  setText: (text: string) => void;
  setFaults: (faults: readonly TextFault[]) => void;
  cursor: () => number;
  insert: (text: string) => void;
  /** Does what typing this text does. */
  type: (text: string) => void;
  destroy: () => void;
}
