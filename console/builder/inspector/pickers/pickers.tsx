import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { basesQuery, flowsQuery, peopleQuery, toolsQuery } from "../../../data/pickable.ts";
import { words } from "../../../messages/en-inspector.ts";
import type { PickerProps } from "../../../forms/step/context.ts";
import { useBuilder } from "../../builder-context.tsx";
import { CredentialPicker } from "./credential-picker.tsx";
import { PickOne, PickSeveral } from "./pick.tsx";
import { ToolArguments } from "./tool-arguments.tsx";

function WorkflowPicker(props: PickerProps) {
  const { workspaceId, workflowId } = useBuilder();
  const { data } = useQuery(flowsQuery(workspaceId));
  return <PickOne {...props} options={data?.filter(({ id }) => id !== workflowId)} nothing={words.pick.noWorkflows} />;
}

const isList = ({ schema }: PickerProps) => schema.type === "array";

function ToolPicker(props: PickerProps) {
  const { workspaceId } = useBuilder();
  const { data } = useQuery(toolsQuery(workspaceId));
  const Pick = isList(props) ? PickSeveral : PickOne;
  return <Pick {...props} options={data} nothing={words.pick.noTools} />;
}

/** Steps that call an operation do not accept tools of servers. */
function OperationPicker(props: PickerProps) {
  const { workspaceId } = useBuilder();
  const { data } = useQuery(toolsQuery(workspaceId));
  return (
    <PickOne {...props} options={data?.filter(({ isOperation }) => isOperation)} nothing={words.pick.noOperations} />
  );
}

function KnowledgeBasePicker(props: PickerProps) {
  const { workspaceId } = useBuilder();
  const { data } = useQuery(basesQuery(workspaceId));
  const Pick = isList(props) ? PickSeveral : PickOne;
  return <Pick {...props} options={data} nothing={words.pick.noBases} />;
}

function MembersPicker(props: PickerProps) {
  const { workspaceId } = useBuilder();
  const { data } = useQuery(peopleQuery(workspaceId));
  const Pick = isList(props) ? PickSeveral : PickOne;
  return <Pick {...props} options={data} nothing={words.pick.nothing} />;
}

/** The pickers by the name of the widget in `x-weft`. */
export const PICKERS: Readonly<Record<string, ComponentType<PickerProps>>> = {
  workflow: WorkflowPicker,
  tool: ToolPicker,
  operation: OperationPicker,
  knowledgeBase: KnowledgeBasePicker,
  members: MembersPicker,
  credential: CredentialPicker,
  arguments: ToolArguments,
};
