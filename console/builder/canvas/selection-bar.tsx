import { NodeToolbar, Position, useStore } from "@xyflow/react";
import { Ban, Copy, FastForward, Link2, PackageOpen, Spline, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { words } from "../../messages/en-builder.ts";
import { IconButton } from "../../ui/button.tsx";
import { Keys } from "../../ui/kbd.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { removeSelected, toggleDisabled } from "../actions.ts";
import { duplicate } from "../clipboard.ts";
import { tieNote } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import { freeSide } from "./bar-place.ts";
import styles from "./canvas.module.css";
import { useView } from "./use-view.ts";

function Act({
  label,
  keys,
  onClick,
  children,
}: {
  label: string;
  keys?: string;
  onClick: () => void;
  children: ReactElement;
}) {
  return (
    <Tooltip text={label} {...(keys !== undefined && { keys: <Keys keys={keys} /> })} side="top">
      <IconButton label={label} size="small" onClick={onClick}>
        {children}
      </IconButton>
    </Tooltip>
  );
}

/** The bar above the selected steps with their actions. */
export function SelectionBar({ scene, onRunFrom }: { scene: Scene; onRunFrom?: ((id: string) => void) | undefined }) {
  const { nodes, notes, opened, dragged, prompt: asked } = useView(scene);
  const id = nodes.at(-1);
  const zoom = useStore(({ transform: [, , at] }) => at);
  if (id === undefined || dragged || asked) return null;
  const one = nodes.length === 1;
  const { absolute } = scene.boxes();
  // A container that fills the canvas has no header.
  const frameOf = (each: string) => (each === opened ? "ground" : scene.isContainer(each) ? "container" : undefined);
  const side = freeSide(absolute, new Set(nodes), frameOf, zoom);
  return (
    <NodeToolbar
      nodeId={[...nodes]}
      isVisible
      position={side === "above" ? Position.Top : Position.Bottom}
      offset={8}
      className={styles.bar}
    >
      {one && onRunFrom ? (
        <Act label={words.runFrom} keys="mod shift enter" onClick={() => onRunFrom(id)}>
          <FastForward size={14} aria-hidden />
        </Act>
      ) : null}
      {one && scene.handles(id).length > 0 ? (
        <Act label={words.connect} keys="c" onClick={() => scene.set({ prompt: { kind: "connect", source: id } })}>
          <Spline size={14} aria-hidden />
        </Act>
      ) : null}
      {notes.length === 1 ? (
        <Act label={words.tie} onClick={() => scene.apply(tieNote(notes[0]!, nodes))}>
          <Link2 size={14} aria-hidden />
        </Act>
      ) : null}
      <Act label={words.duplicate} keys="mod d" onClick={() => duplicate(scene)}>
        <Copy size={14} aria-hidden />
      </Act>
      <Act label={words.extract} keys="shift e" onClick={() => scene.set({ prompt: { kind: "extract" } })}>
        <PackageOpen size={14} aria-hidden />
      </Act>
      <Act label={words.disable} keys="d" onClick={() => toggleDisabled(scene)}>
        <Ban size={14} aria-hidden />
      </Act>
      <Act label={words.remove} keys="del" onClick={() => removeSelected(scene)}>
        <Trash2 size={14} aria-hidden />
      </Act>
    </NodeToolbar>
  );
}
