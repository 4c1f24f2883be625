import { heightFor, STEP } from "./sizes.ts";

/** A step of a definition, with the fields that drawing needs. */
export interface GraphStep {
  id: string;
  type: string;
  name: string;
  parentId: string | undefined;
  position: { x: number; y: number } | undefined;
  disabled: boolean;
  /** Whether another step compensates for it. */
  undoable?: boolean;
  data: unknown;
  /** The height, if it differs from that of other steps. */
  height?: number;
}

export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  handle: string;
  /** Set if the edge leads to the step that compensates for its source. */
  undoes?: true;
}

/** The handle of the edge to the compensating step. */
export const COMPENSATION_HANDLE = "undo";

export interface Graph {
  steps: GraphStep[];
  edges: GraphEdge[];
}

type Loose = Record<string, unknown>;

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null;
const listOf = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === "string" ? value : otherwise);

function positionOf(value: unknown): GraphStep["position"] {
  if (!isObject(value)) return undefined;
  const { x, y } = value;
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}

/** Reads a definition for drawing. Invalid parts are left out, because drawing must not fail. */
export function graphOf(definition: unknown): Graph {
  const { nodes, edges } = isObject(definition) ? definition : ({} as Loose);
  const steps = listOf(nodes).flatMap((node): GraphStep[] => {
    const { id, type, name, parentId, position, disabled, policy, data } = node;
    if (typeof id !== "string") return [];
    return [
      {
        id,
        type: textOr(type, "unknown"),
        name: textOr(name, "") || id,
        parentId: textOr(parentId, undefined),
        position: positionOf(position),
        disabled: disabled === true,
        ...(isObject(policy) && typeof policy.compensate === "string" && { undoable: true }),
        data,
      },
    ];
  });
  const known = new Set(steps.map(({ id }) => id));
  const drawn = listOf(edges).flatMap((edge, n): GraphEdge[] => {
    const { source, target, sourceHandle } = edge;
    if (typeof source !== "string" || typeof target !== "string" || !known.has(source) || !known.has(target)) return [];
    return [{ id: `e${n}`, source, target, handle: textOr(sourceHandle, "out") }];
  });
  const undone = listOf(nodes).flatMap(({ id, policy }): GraphEdge[] => {
    const target = isObject(policy) ? policy.compensate : undefined;
    if (typeof id !== "string" || typeof target !== "string" || !known.has(id) || !known.has(target)) return [];
    return [{ id: `${COMPENSATION_HANDLE} ${id}`, source: id, target, handle: COMPENSATION_HANDLE, undoes: true }];
  });
  const ways = Map.groupBy(drawn, ({ source }) => source);
  const heightOf = (id: string) => heightFor(new Set(ways.get(id)?.map(({ handle }) => handle)).size);
  return {
    steps: steps.map(step => ({
      ...step,
      parentId: known.has(step.parentId ?? "") ? step.parentId : undefined,
      ...(heightOf(step.id) > STEP.height && { height: heightOf(step.id) }),
    })),
    edges: [...drawn, ...undone],
  };
}

/** Handles whose steps also continue along an edge without a handle. */
const PLAIN: ReadonlySet<unknown> = new Set(["approved", "received"]);

/** Whether a step that was left by the handle `taken` continues along an edge of `handle`. */
export const leavesBy = (taken: string | null | undefined, handle: string): boolean =>
  taken === handle || (handle === "out" && PLAIN.has(taken));
