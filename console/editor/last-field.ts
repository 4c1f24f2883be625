import { createContext } from "react";
import type { ValuePath } from "./insertion.ts";

/** A field into which the path of a value can be written. */
export interface InsertTarget {
  label: string;
  /** Returns false where no expression can name the value. */
  insert: (path: ValuePath) => boolean;
}

/** The field that had the focus last. */
export class LastField {
  #target: InsertTarget | undefined;

  opened(target: InsertTarget): void {
    this.#target = target;
  }

  /** The field is gone. */
  closed(target: InsertTarget): void {
    if (this.#target === target) this.#target = undefined;
  }

  get target(): InsertTarget | undefined {
    return this.#target;
  }
}

export const LastFieldContext = createContext(new LastField());
