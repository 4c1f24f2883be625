import { useVirtualizer } from "@tanstack/react-virtual";
import { Ban, Plus, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef } from "react";
import type { Step } from "../data/run-types.ts";
import { words } from "../messages/en-builder.ts";
import { stateOf } from "../run/step-state.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Status } from "../ui/status.tsx";
import { useMedia } from "../ui/use-media.ts";
import { nextInsertPosition } from "./actions.ts";
import { TypeIcon } from "./canvas/icons.tsx";
import { performKey } from "./canvas/keys.ts";
import { useView } from "./canvas/use-view.ts";
import { clipboardOf } from "./clipboard-events.ts";
import { edgeText, isDisabled, nameOf, sourceOf, typeOf, useDocument } from "./document/index.ts";
import { outlineOf } from "./outline-rows.ts";
import styles from "./outline.module.css";
import type { Scene } from "./scene.ts";
import { takeFocus } from "./take-focus.ts";

const ROW = 36;
/** The height of a row that has a second line for the steps that follow. */
const ROW_NARROW = 52;
/** Keys whose commands need the canvas. */
const OF_CANVAS = /^([1mMNf+=-]|ArrowLeft)$/;
const nothing = () => undefined;
const NO_ACTS = { fit: nothing, zoom: nothing, note: nothing };

interface OutlineProps {
  scene: Scene;
  steps: ReadonlyMap<string, Step>;
  faults: ReadonlyMap<string, { length: number }>;
  workspaceId: string;
}

/** The workflow as a list in the order of a run, with the same actions as the canvas. */
export function Outline({ scene, steps, faults, workspaceId }: OutlineProps) {
  const state = useDocument(scene.doc);
  const view = useView(scene);
  const { nodes: selected } = view;
  const rows = useMemo(() => outlineOf(state), [state]);
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useMedia("(max-width: 719px)") ? ROW_NARROW : ROW;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const last = selected.at(-1);
  const edge = view.edges[0] === undefined ? undefined : state.edges.get(view.edges[0]);
  // A selected edge counts as a selection of its source row.
  const anchor = edge ? sourceOf(edge) : last;
  const at = rows.findIndex(({ id }) => id === anchor);
  useEffect(() => {
    takeFocus(scroller.current, scene.getView().outline === true);
    return scene.attach({ focus: () => scroller.current?.focus() });
  }, [scene]);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at, virtual]);
  const go = (index: number, extend: boolean) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row) scene.select(extend ? [...selected.filter(id => id !== row.id), row.id] : [row.id]);
  };
  const onKey = (event: KeyboardEvent) => {
    const { key, shiftKey: shift } = event;
    const mod = event.ctrlKey || event.metaKey;
    const acts: Record<string, () => void> = {
      ArrowDown: () => go(at + 1, shift),
      ArrowUp: () => go(at - 1, shift),
      Home: () => go(0, false),
      End: () => go(rows.length - 1, false),
      Escape: () => scene.select([]),
      Enter: () => scene.enterForm(),
      // Shortcuts of the page do not reach lists.
      n: () => !scene.readOnly && scene.set({ prompt: { kind: "add", where: nextInsertPosition(scene) } }),
      o: () => scene.set({ outline: false }),
    };
    const own = mod ? undefined : acts[key];
    if (own) own();
    else if (OF_CANVAS.test(key) || !performKey(scene, { key, shift, mod }, NO_ACTS)) return;
    event.preventDefault();
  };
  // The list handles clicks on its rows, and keys too.
  const onClick = ({ target, shiftKey, ctrlKey, metaKey }: MouseEvent) => {
    const row = (target as Element).closest<HTMLElement>("[data-row]")?.dataset.row;
    if (row !== undefined) go(Number(row), shiftKey || ctrlKey || metaKey);
  };
  const list = (
    <div
      ref={scroller}
      className={styles.outline}
      role="listbox"
      aria-label={words.outline}
      aria-multiselectable
      aria-activedescendant={at >= 0 ? `outline-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKey}
      onClick={onClick}
      {...clipboardOf(scene, workspaceId)}
    >
      <div className={styles.rows} style={{ blockSize: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const { id, depth, next } = rows[index]!;
          const node = state.nodes.get(id);
          const info = scene.typeOf(typeOf(node));
          const step = steps.get(id);
          const count = faults.get(id)?.length ?? 0;
          return (
            <div
              key={id}
              id={`outline-${index}`}
              data-row={index}
              role="option"
              tabIndex={-1}
              aria-selected={selected.includes(id)}
              className={cx(styles.row, isDisabled(node) && styles.off)}
              style={{ translate: `0 ${start}px`, paddingInlineStart: 16 + depth * 24, blockSize: rowHeight }}
            >
              <TypeIcon info={info} type={typeOf(node)} />
              <span className={styles.name}>{nameOf(state, id)}</span>
              <span className={styles.type}>{info?.title ?? typeOf(node)}</span>
              <span className={cx(styles.next, edge && index === at && styles.current)}>
                {edge && index === at
                  ? edgeText(state, edge)
                  : next.length > 0
                    ? words.goesTo(next.join(", "))
                    : words.leadsNowhere}
              </span>
              {isDisabled(node) ? <Ban size={14} aria-label={words.disabled} /> : null}
              {count > 0 ? <TriangleAlert size={14} className={styles.fault} aria-label={words.faults(count)} /> : null}
              {step ? <Status status={stateOf(step)} iconOnly /> : null}
            </div>
          );
        })}
      </div>
    </div>
  );
  if (scene.readOnly) return list;
  return (
    <>
      {list}
      <footer className={styles.foot}>
        <Button
          icon={<Plus size={14} aria-hidden />}
          onClick={() => scene.set({ prompt: { kind: "add", where: nextInsertPosition(scene) } })}
        >
          {words.addStep}
        </Button>
      </footer>
    </>
  );
}
