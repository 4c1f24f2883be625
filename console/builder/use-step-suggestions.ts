import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { isRecord } from "../data/json.ts";
import { basesQuery, flowsQuery, type Pickable, toolsQuery } from "../data/pickable.ts";
import { words } from "../messages/en-builder.ts";
import type { PickerItem } from "../ui/picker.tsx";
import { useBuilder } from "./builder-context.tsx";
import type { NodeType } from "./node-types.ts";

/** A resource of the workspace, as a step that can be added. */
export interface StepSuggestion extends Omit<PickerItem, "icon"> {
  info: NodeType;
  data: Record<string, unknown>;
}

/**
 * The type that has a field for this kind of resource, with that field. It follows from the catalogue, so no type is
 * named here.
 */
export function fieldForResource(
  types: readonly NodeType[],
  widget: string,
): { info: NodeType; field: string } | undefined {
  for (const info of types) {
    const { properties } = info.dataSchema;
    for (const [field, schema] of Object.entries(isRecord(properties) ? properties : {})) {
      const hint = isRecord(schema) && schema.type !== "array" ? schema["x-weft"] : undefined;
      if (isRecord(hint) && hint.widget === widget) return { info, field };
    }
  }
  return undefined;
}

function offersOf(
  types: readonly NodeType[],
  widget: string,
  group: string,
  things: readonly Pickable[] = [],
): StepSuggestion[] {
  const found = fieldForResource(types, widget);
  return found
    ? things.map(({ id, name, detail }) => ({
        ...{ id: `${widget} ${id}`, title: name, detail: detail || found.info.title, group, info: found.info },
        data: { [found.field]: id },
      }))
    : [];
}

/** The tools, workflows and knowledge bases of the workspace, as steps. */
export function useStepSuggestions(): readonly StepSuggestion[] {
  const { workspaceId, workflowId, nodeTypes } = useBuilder();
  const flows = useQuery(flowsQuery(workspaceId)).data;
  const tools = useQuery(toolsQuery(workspaceId)).data;
  const bases = useQuery(basesQuery(workspaceId)).data;
  return useMemo(() => {
    const types = nodeTypes?.types ?? [];
    const others = flows?.filter(({ id }) => id !== workflowId);
    return [
      ...["tool", "operation"].flatMap(widget =>
        offersOf(
          types,
          widget,
          words.offers.tools,
          tools?.filter(({ isOperation }) => isOperation === (widget === "operation")),
        ),
      ),
      ...offersOf(types, "workflow", words.offers.workflows, others),
      ...offersOf(types, "knowledgeBase", words.offers.bases, bases),
    ];
  }, [nodeTypes, flows, tools, bases, workflowId]);
}
