import { useEffect, useMemo, useState } from "react";
import { checkDefinition, type Fault, type WorkflowAddress } from "../data/builder.ts";
import type { NodeFault } from "./builder-context.tsx";
import type { BuilderDocument } from "./document/index.ts";

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
/** What was found before, where it is the same: then nothing is drawn again. */
const same = (before: readonly FoundFault[], next: readonly FoundFault[]) =>
  JSON.stringify(before) === JSON.stringify(next) ? before : next;

export interface Check {
  /** Errors and warnings. */
  found: readonly FoundFault[];
  /** The errors alone. */
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

/** What the service finds wrong with what is edited, asked for shortly after each edit. */
export function useCheck(doc: BuilderDocument, at: WorkflowAddress): Check {
  const { workspaceId, spaceId } = at;
  const [found, setFound] = useState(NONE);
  // The document is heard here and not by the component, which would be drawn again at each key.
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
      // The next edit asks again. What was found before stays in sight.
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
