import { createContext, type ReactNode, useContext } from "react";

/** The names of the people whose role allows the refused action. The frame around a page provides them. */
export const AllowedPeopleContext = createContext<ReactNode>(null);

/** Returns those names if the error says that the user's role is too low. */
export function useAllowedPeople(code: string | undefined): ReactNode {
  const names = useContext(AllowedPeopleContext);
  return code === "role_too_low" ? names : null;
}
