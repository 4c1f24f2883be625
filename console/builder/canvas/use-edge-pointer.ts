import { type Connection, type FinalConnectionState, type OnConnectStartParams, useReactFlow } from "@xyflow/react";
import { useMemo, useState } from "react";
import { connectSteps } from "../actions.ts";
import { type DocumentState, type Ends, whyNot } from "../document/index.ts";
import { openContainer } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import { isNote } from "./notes.ts";
import { stepAt } from "./step-at.ts";

const handleOf = ({ sourceHandle }: Pick<Connection, "sourceHandle">) => sourceHandle ?? "out";
const endsOf = (connection: Pick<Connection, "source" | "target" | "sourceHandle">): Ends => ({
  ...{ source: connection.source, target: connection.target, handle: handleOf(connection) },
});

/** The steps to which the connection that is being drawn cannot lead. */
export function refusedTargets(
  scene: Scene,
  state: DocumentState,
  connecting: Omit<Ends, "target"> | undefined,
): ReadonlySet<string> {
  if (!connecting) return new Set();
  const refuses = (target: string) => whyNot(state, { ...connecting, target }, scene.startsRun) !== undefined;
  return new Set([...state.nodes.keys()].filter(id => id !== connecting.source && refuses(id)));
}

/**
 * Handlers for the pointer on edges. The functions never change, because React Flow passes each change on to thousands
 * of its components.
 */
export function useEdgePointer(scene: Scene) {
  const flow = useReactFlow();
  const [hoveredEdge, setHovered] = useState<string>();
  const [connecting, setConnecting] = useState<Omit<Ends, "target">>();
  const props = useMemo(() => {
    const mayConnect = (ends: Ends) => whyNot(scene.doc.getState(), ends, scene.startsRun) === undefined;
    return {
      onConnectStart(_event: MouseEvent | TouchEvent, { nodeId, handleId, handleType }: OnConnectStartParams) {
        if (handleType === "source" && nodeId !== null) setConnecting({ source: nodeId, handle: handleId ?? "out" });
      },
      onConnect: (made: Connection) => connectSteps(scene, made.source, handleOf(made), made.target),
      onConnectEnd(event: MouseEvent | TouchEvent, end: FinalConnectionState) {
        setConnecting(undefined);
        if (end.isValid || !end.fromNode || end.fromHandle?.type !== "source") return;
        const { clientX: x, clientY: y } = "changedTouches" in event ? event.changedTouches[0]! : event;
        const id = stepAt({ x, y });
        const handle = end.fromHandle.id ?? "out";
        if (id !== undefined) return void connectSteps(scene, end.fromNode.id, handle, id);
        const at = flow.screenToFlowPosition({ x, y });
        scene.set({ prompt: { kind: "add", where: { after: { id: end.fromNode.id, handle }, at } } });
      },
      isValidConnection: (wish: Pick<Connection, "source" | "target"> & { sourceHandle?: string | null }) =>
        mayConnect(endsOf({ ...wish, sourceHandle: wish.sourceHandle ?? null })),
      onReconnect: ({ id }: { id: string }, to: Connection) => scene.reconnect(id, endsOf(to)),
      onNodeDoubleClick(_event: unknown, { id }: { id: string }) {
        if (scene.isContainer(id)) openContainer(scene, id);
        else if (!isNote(id)) scene.enterForm();
      },
      onPaneClick: () => scene.select([]),
      onEdgeMouseEnter: (_event: unknown, { id }: { id: string }) => setHovered(id),
      onEdgeMouseLeave({ relatedTarget }: { relatedTarget: EventTarget | null }) {
        // The pointer may be moving to the button on the edge.
        if (!(relatedTarget instanceof Element && relatedTarget.closest("[data-edge]"))) setHovered(undefined);
      },
      onPaneMouseMove: () => setHovered(undefined),
    };
  }, [scene, flow]);
  return { hoveredEdge, connecting, props };
}
