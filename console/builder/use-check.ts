import { useEffect, useMemo, useState } from "react";
import { checkDefinition, type Fault, type WorkflowAddress } from "../data/builder.ts";
import type { NodeFault } from "./builder-context.tsx";
import type { BuilderDocument } from "./document/index.ts";

const AFTER_MS = 400;

/** A fault and its step. `path` is relative to the step. */
export interface FoundFault extends NodeFault {
  nodeId: string | undefined;
  severity: Fault["severity"];
}

/** The step of a fault that the service found. `ids` are the steps in the order of the definition. */
export function placed({ nodeId, path, message, severity }: Fault, ids: readonly string[]): FoundFault {
  const at = /^\/nodes\/(\d+)(.*)$/.exec(path);
  const id = nodeId ?? (at ? ids[Number(at[1])] : undefined);
  return { nodeId: id ?? undefined, path: at ? at[2]! : path, message, severity };
}

const NONE: readonly FoundFault[] = [];
/** Returns the previous list if nothing changed, so that nothing is drawn again. */
const same = (before: readonly FoundFault[], next: readonly FoundFault[]) =>
  JSON.stringify(before) === JSON.stringify(next) ? before : next;

export interface Check {
  /** Errors and warnings. */
  found: readonly FoundFault[];
  /** Only the errors. */
  faults: readonly FoundFault[];
  faultsByNode: ReadonlyMap<string, readonly FoundFault[]>;
  warningsByNode: ReadonlyMap<string, readonly FoundFault[]>;
}

const byNode = (found: readonly FoundFault[]) =>
  Map.groupBy(
    found.filter(({ nodeId }) => nodeId !== undefined),
    ({ nodeId }) => nodeId!,
  );

function checkOf(found: readonly FoundFault[]): Check {
  const faults = found.filter(({ severity }) => severity === "error");
  const warnings = found.filter(({ severity }) => severity === "warning");
  return { found, faults, faultsByNode: byNode(faults), warningsByNode: byNode(warnings) };
}

/** Asks the service for the faults of the edited workflow, shortly after each edit. */
export function useCheck(doc: BuilderDocument, at: WorkflowAddress): Check {
  const { workspaceId, spaceId } = at;
  const [found, setFound] = useState(NONE);
  // Subscribes without rendering. Otherwise the component would be drawn again at each key press.
  useEffect(() => {
    const ask = async (signal: AbortSignal) => {
      const { nodes, meta } = doc.getState();
      const ids = [...nodes.keys()];
      const list = await checkDefinition({ workspaceId, spaceId }, meta.name, doc.toDefinition(), signal);
      if (!signal.aborted)
        setFound(before =>
          same(
            before,
            list.map(fault => placed(fault, ids)),
          ),
        );
    };
    let stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(timer);
      stop.abort();
    };
    const askLater = () => {
      end();
      stop = new AbortController();
      const { signal } = stop;
      // The next edit checks again. Until then the previous faults stay visible.
      timer = setTimeout(() => void ask(signal).catch(() => undefined), AFTER_MS);
    };
    let asked = doc.getState();
    const leave = doc.subscribe(() => {
      const { nodes, edges, root } = doc.getState();
      const isSame = asked.nodes === nodes && asked.edges === edges && asked.root === root;
      asked = doc.getState();
      if (!isSame) askLater();
    });
    askLater();
    return () => {
      leave();
      end();
    };
  }, [doc, workspaceId, spaceId]);
  return useMemo(() => checkOf(found), [found]);
}
