import type { Workflow } from "../../sdk/definition.ts";
import { words } from "../messages/en-new-workflow.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: ["w", workspaceId, "workflows"] });

/** The place of a new workflow. Without a space it is the default space, whose id is the id of its workspace. */
export interface Target {
  workspaceId: string;
  spaceId?: string | undefined;
}

/** Creates an empty workflow. */
export async function createWorkflow({ workspaceId, spaceId = workspaceId }: Target, name: string): Promise<Workflow> {
  const workflow = await weft.workflows.create({ workspaceId, spaceId, name });
  void renew(workspaceId);
  return workflow;
}

/** Creates a workflow with a definition, in the space of another workflow. */
export async function createIn(
  { workspaceId, spaceId }: { workspaceId: string; spaceId: string },
  name: string,
  definition: unknown,
): Promise<Workflow> {
  const workflow = await weft.workflows.create({ workspaceId, spaceId, name, definition });
  void renew(workspaceId);
  void queryClient.invalidateQueries({ queryKey: ["w", workspaceId, "pick", "workflows"] });
  return workflow;
}

/** Creates a workflow from a file of Weft or n8n. The service converts files of n8n. */
export async function importWorkflow({ workspaceId, spaceId = workspaceId }: Target, document: unknown) {
  const imported = await weft.workflows.import({ workspaceId, spaceId, document });
  void renew(workspaceId);
  return imported;
}

/** Parsing a larger file would freeze the page, and no workflow is that large. */
const MAX_BYTES = 4 * 1_024 * 1_024;

interface Remark {
  /** The name of the node that the message is about. Null for the whole workflow. */
  node: string | null;
  message: string;
}

const definitionIn = (document: unknown): unknown => (document as { definition?: unknown } | null)?.definition;

/**
 * Shows what a file would become, without storing it.
 * @throws {Error} if the file is too large or contains no JSON
 */
export async function checkFile(workspaceId: string, file: File, signal: AbortSignal) {
  if (file.size > MAX_BYTES) throw new Error(words.tooLarge(file.name));
  let document: unknown;
  try {
    document = JSON.parse(await file.text());
  } catch {
    throw new Error(words.noJson(file.name));
  }
  const checked = await weft.workflows.check({ workspaceId, spaceId: workspaceId, document }, { signal });
  const { definition = definitionIn(document), warnings, faults } = checked;
  const remarks: Remark[] = [
    ...warnings.map(({ node, message }) => ({ node, message })),
    ...faults.map(({ nodeId, message }) => ({ node: nodeId ?? null, message })),
  ];
  return { document, definition, remarks };
}
