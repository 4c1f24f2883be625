import { CATALOGUE_ICONS } from "../../run/graph/catalogue-icons.ts";
import { lookOf } from "../../run/graph/step-look.tsx";
import type { NodeType } from "../node-types.ts";

/** The name of a step type's icon. Types that look alike share it. */
export const iconNameOf = (info: NodeType | undefined, type: string): string =>
  info && CATALOGUE_ICONS[info.icon] ? info.icon : (lookOf(type).icon.displayName ?? "");

/** The icon of a step type: the one that the catalogue names, or else a default of this page. */
export function TypeIcon({ info, type, size = 16 }: { info: NodeType | undefined; type: string; size?: number }) {
  const Icon = (info && CATALOGUE_ICONS[info.icon]) ?? lookOf(type).icon;
  return <Icon size={size} strokeWidth={1.75} aria-hidden />;
}
