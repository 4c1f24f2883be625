import type { PickerItem } from "../ui/picker.tsx";
import type { NodeType } from "./node-types.ts";
import type { Scene } from "./scene.ts";

/** Something that the workspace has, as a step that can be added. */
export interface Offer extends Omit<PickerItem, "icon"> {
  info: NodeType;
  data: Record<string, unknown>;
}

const NONE: readonly Offer[] = [];

export function useOffers(_scene: Scene, _workspaceId: string, _typed: string): readonly Offer[] {
  return NONE;
}
