import { createContext, useContext } from "react";
import type { Workspace } from "../../sdk/definition.ts";

const ROLES = ["viewer", "editor", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const WorkspaceContext = createContext<Workspace | null>(null);

/** The workspace of the address. Only pages below `/w/:w` may call it. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error("This page belongs to no workspace");
  return workspace;
}

/** Whether the role `given` includes the role `least`. */
export const includesRole = (given: Role, least: Role): boolean => ROLES.indexOf(given) >= ROLES.indexOf(least);
