import type { ComponentProps } from "react";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { includesRole, type Role, useWorkspace } from "./workspace.ts";

/** A button that needs a role. For users without the role it is disabled and names it. */
export function RoleButton({ least, disabled, ...rest }: ComponentProps<typeof Button> & { least: Role }) {
  const may = includesRole(useWorkspace().role, least);
  return <Button {...rest} disabled={!may || disabled} title={may ? rest.title : m.needsRole(m.role[least])} />;
}
