import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Execution, Template, Workflow, WorkflowListing } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { anonymous, sessionNow } from "./session.ts";
import { queryClient } from "./query-client.ts";
import { runsKey } from "./runs.ts";

/** The most workflows that lists read. */
export const MAX_LISTED = 200;

export type WorkflowRow = WorkflowListing;
type Address = Pick<Workflow, "id" | "spaceId">;

export const workflowsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "workflows"],
    queryFn: async ({ signal }): Promise<WorkflowRow[]> =>
      (await weft.workflows.listAll({ workspaceId, limit: MAX_LISTED }, { signal })).items,
  });

/** The workflows that a person edited, last changed first. */
export const editedWorkflowsQuery = (workspaceId: string, editedBy: string, limit: number) =>
  queryOptions({
    queryKey: ["w", workspaceId, "workflows", "edited", editedBy, limit],
    queryFn: async ({ signal }): Promise<WorkflowRow[]> =>
      (await weft.workflows.listAll({ workspaceId, editedBy, limit }, { signal })).items,
  });

/** One workflow with its definition. */
export const workflowQuery = (workspaceId: string, { id, spaceId }: Address) =>
  queryOptions({
    queryKey: ["w", workspaceId, "workflow", id],
    queryFn: ({ signal }): Promise<Workflow> => weft.workflows.get({ workspaceId, spaceId, id }, { signal }),
  });

/** The example of the input that the author of a workflow saved at its first step. */
export function exampleOf({ definition }: Pick<Workflow, "definition">): unknown {
  const nodes = (definition as { nodes?: { type?: string; data?: { example?: unknown } }[] } | null)?.nodes;
  return Array.isArray(nodes) ? nodes.find(({ type }) => type === "trigger")?.data?.example : undefined;
}

/** The templates. The list is public: people who are not signed in read it too. */
export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: async ({ signal }): Promise<Template[]> => {
    const all = { limit: MAX_LISTED };
    const isIn = sessionNow().status === "in";
    const { items } = await (isIn
      ? weft.workflows.templates(all, { signal })
      : anonymous.workflows.templates(all, { signal }));
    return items;
  },
  staleTime: 10 * 60_000,
});

export const useStartRun = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ workflow, input }: { workflow: Address; input: unknown }): Promise<Execution> =>
      weft.executions.start({ workspaceId, spaceId: workflow.spaceId, workflowId: workflow.id, input }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: runsKey(workspaceId) }),
    meta: { shown: true },
  });

interface TemplateUse {
  id: string;
  spaceId?: string | undefined;
  /** Without a name, the workflow gets the template's. */
  name?: string;
}

export const useUseTemplate = (workspaceId: string) =>
  useMutation({
    // The default space has the id of its workspace.
    mutationFn: ({ id, spaceId = workspaceId, name }: TemplateUse): Promise<Workflow> =>
      weft.workflows.fromTemplate({ workspaceId, spaceId, templateId: id, ...(name !== undefined && { name }) }),
    meta: { shown: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["w", workspaceId, "workflows"] }),
  });
