import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { Empty } from "../ui/states.tsx";
import { includesRole, useWorkspace } from "./workspace.ts";

const MAX_NAMES = 4;

/** In place of what only admins see. */
export const NeedsAdmin = () => (
  <Empty small title={m.needsRole(m.role.admin)}>
    <Admins />
  </Empty>
);

/** The admins of the workspace, who may do it or give a higher role. */
export default function Admins() {
  const { data = [] } = useQuery(membersQuery(useWorkspace().id));
  const names = data.filter(({ role }) => includesRole(role, "admin")).map(({ name, email }) => name ?? email ?? "");
  if (names.length === 0) return null;
  return <span>{m.problem.whoMay(names.slice(0, MAX_NAMES))}</span>;
}
