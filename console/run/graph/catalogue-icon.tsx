import { useQuery } from "@tanstack/react-query";
import { Box } from "lucide-react";
import { nodeTypesQuery } from "../../data/node-types.ts";
import { CATALOGUE_ICONS } from "./catalogue-icons.ts";

/** The icon that the catalogue of the service names for a type; a box while it is read, and where it names none. */
export function CatalogueIcon({ type, size }: { type: string; size: number }) {
  const { data } = useQuery(nodeTypesQuery);
  const named = data?.types.find(each => each.type === type)?.icon;
  const Icon = (named === undefined ? undefined : CATALOGUE_ICONS[named]) ?? Box;
  return <Icon size={size} strokeWidth={1.75} aria-hidden />;
}
