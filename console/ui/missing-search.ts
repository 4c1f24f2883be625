import { createContext, useContext } from "react";

/** A search for the thing that the page's address names. */
export interface MissingSearch {
  /** The search text: the id in the address. */
  text: string;
  open: () => void;
}

/** Provided by the frame around a page. Undefined on pages without a frame, and without an id in the address. */
export const MissingSearchContext = createContext<MissingSearch | undefined>(undefined);

export const useMissingSearch = () => useContext(MissingSearchContext);
