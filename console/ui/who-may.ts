import { createContext, type ReactNode, useContext } from "react";

/** The names of the people whose role allows what was refused. The frame around a page provides them. */
export const WhoMayContext = createContext<ReactNode>(null);

/** Those names, where a role was too low. */
export function useWhoMay(code: string | undefined): ReactNode {
  const names = useContext(WhoMayContext);
  return code === "role_too_low" ? names : null;
}
