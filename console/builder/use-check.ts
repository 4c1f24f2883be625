import { useEffect, useMemo, useState } from "react";
import { checkDefinition, type Fault, type WorkflowAddress } from "../data/builder.ts";
import type { NodeFault } from "./builder-context.tsx";
import { type BuilderDocument, useDocument } from "./document/index.ts";

const AFTER_MS = 400;

/** A fault with the step that it belongs to; `path` is relative to the step. */
export interface FoundFault extends NodeFault {
  nodeId: string | undefined;
  severity: Fault["severity"];
}

function placed({ nodeId, path, message, severity }: Fault, ids: readonly string[]): FoundFault {
  const at = /^\/nodes\/(\d+)(.*)$/.exec(path);
  const id = nodeId ?? (at ? ids[Number(at[1])] : undefined);
  return { nodeId: id ?? undefined, path: at ? at[2]! : path, message, severity };
}

const NONE: readonly FoundFault[] = [];

export interface Check {
  /** Errors and warnings. */
  found: readonly FoundFault[];
  /** The errors alone. */
  faults: readonly FoundFault[];
  faultsByNode: ReadonlyMap<string, readonly FoundFault[]>;
}

function checkOf(found: readonly FoundFault[]): Check {
  const faults = found.filter(({ severity }) => severity === "error");
  const ofNodes = faults.filter(({ nodeId }) => nodeId !== undefined);
  return { found, faults, faultsByNode: Map.groupBy(ofNodes, ({ nodeId }) => nodeId!) };
}

/** What the service finds wrong with what is edited, asked for shortly after each edit. */
export function useCheck(doc: BuilderDocument, at: WorkflowAddress): Check {
  const { nodes, edges, root } = useDocument(doc);
  const { workspaceId, spaceId } = at;
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const ids = [...doc.getState().nodes.keys()];
      checkDefinition({ workspaceId, spaceId }, doc.getState().meta.name, doc.toDefinition(), stop.signal).then(
        list => setFound(list.map(fault => placed(fault, ids))),
        // The next edit asks again. What was found before stays in sight.
        () => undefined,
      );
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [doc, nodes, edges, root, workspaceId, spaceId]);
  return useMemo(() => checkOf(found), [found]);
}
