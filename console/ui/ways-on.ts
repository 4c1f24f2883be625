import { createContext, type ReactNode, useContext } from "react";

/** Where a person can go from an address that leads to nothing. */
export interface WaysOn {
  /** The link to the first page. */
  home: ReactNode;
  /** Searches for the id in the address, because the thing may have been moved or copied. Undefined without an id. */
  search?: { text: string; open: () => void } | undefined;
}

/** Provided by the frame around a page. Undefined on pages without a frame. */
export const WaysOnContext = createContext<WaysOn | undefined>(undefined);

export const useWaysOn = () => useContext(WaysOnContext);
