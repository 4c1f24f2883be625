import { createContext, useContext } from "react";
import type { BuilderDocument } from "./document/index.ts";
import type { NodeType, NodeTypes } from "./node-types.ts";

/** A fault that the service found in the definition. `path` is a JSON Pointer into the node, such as `/data/url`. */
export interface NodeFault {
  path: string;
  message: string;
}

/** What the components of the builder share. */
export interface Builder {
  doc: BuilderDocument;
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  /** Undefined until the catalogue is loaded. */
  nodeTypes: NodeTypes | undefined;
  typeOf: (type: string) => NodeType | undefined;
  /** Whether edits are refused: for viewers, for old versions, and while another tab edits. */
  readOnly: boolean;
  /** Faults by node id. */
  faults: ReadonlyMap<string, readonly NodeFault[]>;
  /** The run whose values are shown: the one that was started here, or else the last one. */
  executionId: string | undefined;
  select: (nodeId: string | undefined) => void;
  /** Starts a run at this step. Earlier steps keep their results of the last run. */
  runFrom: ((nodeId: string) => void) | undefined;
}

export const BuilderContext = createContext<Builder | null>(null);

/**
 * @throws {Error} outside of the builder
 */
export function useBuilder(): Builder {
  const builder = useContext(BuilderContext);
  if (!builder) throw new Error("This component belongs into the builder");
  return builder;
}
