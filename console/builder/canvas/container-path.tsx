import { Panel, useReactFlow } from "@xyflow/react";
import { ChevronRight } from "lucide-react";
import { Fragment, useEffect, useRef } from "react";
import { words } from "../../messages/en-builder.ts";
import { nameOf, useDocument, useDocumentOf, containersAround } from "../document/index.ts";
import { leaveContainer, openedIn } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import styles from "./container-path.module.css";
import { useViewOf } from "./use-view.ts";

const MOVE_MS = 200;

/** Shown while a container fills the canvas: the path back to the workflow. */
export function ContainerPath({ scene }: { scene: Scene }) {
  useViewOf(scene, view => view.opened);
  const opened = useDocumentOf(scene.doc, () => openedIn(scene));
  const flow = useReactFlow();
  const shown = useRef(opened);
  useEffect(() => {
    if (shown.current === opened) return;
    shown.current = opened;
    const nodes = opened === undefined ? {} : { nodes: [{ id: opened }], maxZoom: 1 };
    // The steps must be drawn before the view can fit them.
    const frame = requestAnimationFrame(() => void flow.fitView({ padding: 0.1, duration: MOVE_MS, ...nodes }));
    return () => cancelAnimationFrame(frame);
  }, [opened, flow]);
  return opened === undefined ? null : <Crumbs scene={scene} opened={opened} />;
}

function Crumbs({ scene, opened }: { scene: Scene; opened: string }) {
  const state = useDocument(scene.doc);
  const around = containersAround(state, opened).toReversed();
  // The pressed button disappears, so the focus must move.
  const leave = (to?: string) => {
    leaveContainer(scene, to);
    scene.focus();
  };
  return (
    <Panel position="top-center">
      <nav className={styles.crumbs} aria-label={words.crumbs}>
        <button type="button" onClick={() => leave()}>
          {state.meta.name || words.wholeWorkflow}
        </button>
        {around.map(id => (
          <Fragment key={id}>
            <ChevronRight size={12} aria-hidden />
            <button type="button" onClick={() => leave(id)}>
              {nameOf(state, id)}
            </button>
          </Fragment>
        ))}
        <ChevronRight size={12} aria-hidden />
        <span aria-current="true">{nameOf(state, opened)}</span>
      </nav>
    </Panel>
  );
}
