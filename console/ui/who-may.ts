import { createContext, type ReactNode, useContext } from "react";

/** The names of the people whose role allows the refused action. The frame around a page provides them. */
export const WhoMayContext = createContext<ReactNode>(null);

/** Returns those names if the error says that the user's role is too low. */
export function useWhoMay(code: string | undefined): ReactNode {
  const names = useContext(WhoMayContext);
  return code === "role_too_low" ? names : null;
}
