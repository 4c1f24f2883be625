import { createContext, useContext } from "react";

/** A search for the thing that the address of the page names. */
export interface MissingSearch {
  /** What is searched for: the id in the address. */
  text: string;
  open: () => void;
}

/** Offered by the frame around a page. Pages without a frame, or without an id in their address, have none. */
export const MissingSearchContext = createContext<MissingSearch | undefined>(undefined);

export const useMissingSearch = () => useContext(MissingSearchContext);
