import { Handle as FlowHandle, type NodeProps, Position } from "@xyflow/react";
import { Ban, ChevronDown, ChevronRight, CircleDot, CircleMinus, CirclePlus } from "lucide-react";
import { Maximize2, Pin, Plus, TriangleAlert } from "lucide-react";
import { createContext, memo, use } from "react";
import { durationText } from "../../messages/time.ts";
import { runTexts } from "../../messages/en-run.ts";
import { m } from "../../messages/index.ts";
import { words } from "../../messages/en-builder.ts";
import { fitsStep } from "../../run/graph/fits.ts";
import { lookOf } from "../../run/graph/step-look.tsx";
import looks from "../../run/graph/nodes.module.css";
import { passesText } from "../../run/passes.ts";
import { stateOf } from "../../run/step-state.ts";
import { cx } from "../../ui/cx.ts";
import { Status } from "../../ui/status.tsx";
import { acceptsEdges } from "./flow-elements.ts";
import type { DiffMark, StepData, StepNode as Node } from "./drawn.ts";
import { categoryOf, IconImage } from "./icon-images.tsx";
import styles from "./nodes.module.css";
import { COMPENSATION_HANDLE } from "./compensation-edges.ts";

/** The actions at a node. This object never changes, so that nodes need not be drawn again. */
export interface NodeActions {
  addAfter: (id: string, handle: string) => void;
  addInside: (id: string) => void;
  addOnEdge: (key: string) => void;
  removeEdge: (key: string) => void;
  toggleCollapsed: (id: string) => void;
  /** Lets a container fill the canvas. */
  open: (id: string) => void;
}
export const NodeActionsContext = createContext<NodeActions | null>(null);
export const useNodeActions = (): NodeActions => use(NodeActionsContext)!;

/** The second line of a step: its result in the run that is shown, or else its type. */
function note({ step, type, info, disabled, setup }: StepData): string {
  if (disabled) return words.disabled;
  if (!step || step.status === "pending") return setup || (info?.title ?? lookOf(type).title);
  if (step.items) return passesText(step.items);
  if (step.status === "waiting") return runTexts.run.waitsFor[step.waitsFor ?? "delay"];
  if (step.error && step.status === "failed") return step.error.message;
  if (step.durationMs !== null && step.status === "completed") return durationText(step.durationMs);
  return m.status[stateOf(step)];
}

function Handles({ id, data }: { id: string; data: StepData }) {
  const { addAfter } = useNodeActions();
  const { handles, loose, readOnly, info, undone } = data;
  const top = (n: number) => `${((n + 1) * 100) / (handles.length + 1)}%`;
  return (
    <>
      {acceptsEdges(info) ? (
        <FlowHandle type="target" position={Position.Left} className={styles.target} isConnectable={!readOnly} />
      ) : null}
      {handles.map(({ id: handle, title, tone }, n) => (
        <FlowHandle
          key={handle}
          id={handle}
          type="source"
          position={Position.Right}
          className={cx(styles.source, styles[tone])}
          isConnectable={!readOnly}
          style={{ top: top(n) }}
          title={handles.length > 1 ? title : undefined}
        />
      ))}
      {undone ? (
        <FlowHandle
          id={COMPENSATION_HANDLE}
          type="source"
          position={Position.Bottom}
          className={styles.undo}
          isConnectable={false}
          aria-hidden
        />
      ) : null}
      {readOnly
        ? null
        : handles.map(({ id: handle, title }, n) =>
            loose.includes(handle) ? (
              <span key={handle} className={cx(styles.loose, "from-all")} style={{ top: top(n) }}>
                {handles.length > 1 ? <span className={styles.way}>{title}</span> : null}
                <button
                  type="button"
                  tabIndex={-1}
                  className={cx(styles.add, "nodrag nopan")}
                  aria-label={words.addAfter(data.name, title)}
                  onClick={() => addAfter(id, handle)}
                >
                  <Plus size={12} aria-hidden />
                </button>
              </span>
            ) : null,
          )}
    </>
  );
}

const MARKS = { added: CirclePlus, removed: CircleMinus, changed: CircleDot };

/** Shows how a step differs between two versions, by shape and not by colour alone. */
function MarkIcon({ mark }: { mark: DiffMark }) {
  const Icon = MARKS[mark];
  return <Icon size={14} className={styles.mark} data-mark={mark} role="img" aria-label={words.changes[mark]} />;
}

/** Shows that a step has faults or, if it has none, warnings. */
function Warned({ faults, warnings }: Pick<StepData, "faults" | "warnings">) {
  const text = faults > 0 ? words.faults(faults) : warnings > 0 ? words.warnings(warnings) : undefined;
  if (text === undefined) return null;
  return (
    <span className={faults > 0 ? styles.faults : styles.warnings} title={text}>
      <TriangleAlert size={14} aria-label={text} />
    </span>
  );
}

function Badges({ data }: { data: StepData }) {
  const { faults, warnings, pinned, step, disabled, mark } = data;
  return (
    <span className={cx(looks.state, "from-names")}>
      {mark ? <MarkIcon mark={mark} /> : null}
      {disabled ? <Ban size={14} aria-hidden /> : null}
      {pinned ? <Pin size={14} className={styles.pinned} role="img" aria-label={words.pinned} /> : null}
      <Warned faults={faults} warnings={warnings} />
      {step && step.attempt > 1 ? <span className={looks.attempt}>{step.attempt}</span> : null}
      {step ? <Status status={stateOf(step)} iconOnly /> : null}
    </span>
  );
}

const classesOf = (data: StepData, selected: boolean | undefined) =>
  cx(
    looks[categoryOf(data)],
    selected && looks.selected,
    data.disabled && styles.off,
    data.dimmed && styles.dimmed,
    data.mark && styles[data.mark],
  );

/** How many signs follow the texts of a step. */
const signsOf = ({ mark, disabled, pinned, faults, warnings, step, collapsed }: StepData) =>
  [mark, disabled, pinned, faults + warnings > 0, step, step && step.attempt > 1, collapsed, collapsed].filter(Boolean)
    .length;

export const StepNode = memo(function StepNode({ id, data, selected }: NodeProps<Node>) {
  const said = data.collapsed ? words.collapsed(data.children) : note(data);
  const signs = signsOf(data);
  const whole = (text: string) => fitsStep(text, signs) && looks.whole;
  return (
    <div
      className={cx(looks.step, styles.step, classesOf(data, selected))}
      data-state={data.step ? stateOf(data.step) : undefined}
    >
      <Handles id={id} data={data} />
      <IconImage data={data} />
      <span className={cx(looks.texts, styles.texts, "from-names")}>
        <span className={cx(looks.name, whole(data.name))}>{data.name}</span>
        <span className={cx(looks.note, whole(said), "from-all")}>{said}</span>
      </span>
      <Badges data={data} />
      {data.collapsed ? <Fold id={id} data={data} /> : null}
    </div>
  );
});

function Open({ id, data }: { id: string; data: StepData }) {
  const { open } = useNodeActions();
  return (
    <button
      type="button"
      tabIndex={-1}
      className={cx(styles.fold, styles.open, "nodrag nopan")}
      aria-label={words.openFull(data.name)}
      title={words.openFull(data.name)}
      onClick={event => {
        // A click that reaches the container would select it, and so leave it again.
        event.stopPropagation();
        open(id);
      }}
    >
      <Maximize2 size={14} aria-hidden />
    </button>
  );
}

function Fold({ id, data }: { id: string; data: StepData }) {
  const { toggleCollapsed } = useNodeActions();
  return (
    <button
      type="button"
      tabIndex={-1}
      className={cx(styles.fold, "nodrag nopan")}
      aria-label={data.collapsed ? words.unfold(data.name) : words.fold(data.name)}
      onClick={() => toggleCollapsed(id)}
    >
      {data.collapsed ? <ChevronRight size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
    </button>
  );
}

/** The button that adds the first step inside of a container. */
function AddInside({ id, data }: Pick<NodeProps<Node>, "id" | "data">) {
  const { addInside } = useNodeActions();
  if (data.children > 0 || data.readOnly) return null;
  return (
    <button type="button" tabIndex={-1} className={cx(styles.inside, "nodrag nopan")} onClick={() => addInside(id)}>
      <Plus size={14} aria-hidden />
      {words.addInside}
    </button>
  );
}

/** A container: a frame around the steps that run once for each item or round. */
export const ContainerNode = memo(function ContainerNode({ id, data, selected }: NodeProps<Node>) {
  return (
    <div
      className={cx(looks.container, styles.container, classesOf(data, selected))}
      data-state={data.step ? stateOf(data.step) : undefined}
    >
      <Handles id={id} data={data} />
      <div className={looks.header}>
        <IconImage data={data} />
        <span className={cx(looks.texts, styles.texts, "from-names")}>
          <span className={looks.name}>{data.name}</span>
          <span className={cx(looks.note, "from-all")}>{note(data)}</span>
        </span>
        <Badges data={data} />
        <Open id={id} data={data} />
        {data.children > 0 ? <Fold id={id} data={data} /> : null}
      </div>
      <AddInside id={id} data={data} />
    </div>
  );
});

/** A container that fills the canvas, drawn as the background of its steps. */
export const BackgroundNode = memo(function BackgroundNode({ id, data }: NodeProps<Node>) {
  return (
    <div className={styles.ground}>
      <AddInside id={id} data={data} />
    </div>
  );
});
