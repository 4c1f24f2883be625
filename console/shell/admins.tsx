import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { Empty } from "../ui/states.tsx";
import { includesRole, useWorkspace } from "./workspace.ts";

const MAX_NAMES = 4;

/** Shown instead of content that only admins see. */
export const NeedsAdmin = () => (
  <Empty small title={m.needsRole(m.role.admin)}>
    <Admins />
  </Empty>
);

/** The names of the workspace's admins, who can perform the action or give a higher role. */
export default function Admins() {
  const { data = [] } = useQuery(membersQuery(useWorkspace().id));
  const names = data.filter(({ role }) => includesRole(role, "admin")).map(({ name, email }) => name ?? email ?? "");
  if (names.length === 0) return null;
  return <span>{m.problem.whoMay(names.slice(0, MAX_NAMES))}</span>;
}
