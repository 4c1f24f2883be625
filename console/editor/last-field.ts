import { createContext } from "react";
import type { ValuePath } from "./insertion.ts";

/** A field into which a path can be inserted. */
export interface InsertTarget {
  label: string;
  /** Returns false if no expression can name the value. */
  insert: (path: ValuePath) => boolean;
}

/** Remembers the field that last had the focus. */
export class LastField {
  #target: InsertTarget | undefined;

  opened(target: InsertTarget): void {
    this.#target = target;
  }

  /** Forgets a field that was removed. */
  closed(target: InsertTarget): void {
    if (this.#target === target) this.#target = undefined;
  }

  get target(): InsertTarget | undefined {
    return this.#target;
  }
}

export const LastFieldContext = createContext(new LastField());
