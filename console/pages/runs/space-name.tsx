import { useQuery } from "@tanstack/react-query";
import { spacesQuery } from "../../data/spaces.ts";

/** The name of a space. While it is unknown, the beginning of its id. */
export function SpaceName({ workspaceId, id }: { workspaceId: string; id: string }) {
  const { data: spaces = [] } = useQuery(spacesQuery(workspaceId));
  return spaces.find(space => space.id === id)?.name ?? id.slice(0, 8);
}
