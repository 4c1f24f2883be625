import { isNodeType, NODE_TYPES } from "../../graph/node-types.ts";
import { type LoopResult, valueOfTurn } from "./loop-turns.ts";

/** A node of the definition. */
export interface Step {
  id: string;
  type: string;
  name: string;
  parentId?: string;
  position?: { x: number; y: number };
  data: Record<string, unknown>;
  policy?: Record<string, unknown>;
}

/** An output of a step, by which a value leaves it. */
export interface Exit {
  source: string;
  sourceHandle: string;
}

export interface Edge extends Exit {
  id: string;
  target: string;
}

export interface Graph {
  nodes: Step[];
  edges: Edge[];
}

/** The value of the step at the end of a turn, and the outputs that lead to it. */
interface End {
  value: string;
  exits: readonly Exit[];
  parentId: string;
  /** The steps inside the loop. */
  inside: readonly Step[];
}

/** The distance between two steps in a row. */
const STEP_WIDTH = 320;

const nameOf = ({ source, sourceHandle }: Exit) => `${source} ${sourceHandle}`;

function exitsOf({ id, type, data, policy }: Step): Exit[] {
  const handles = isNodeType(type) ? NODE_TYPES[type].handles(data) : [];
  return [...handles, ...(policy?.onError === "route" ? ["error"] : [])].map(handle => ({
    source: id,
    sourceHandle: handle,
  }));
}

/** The names of the outputs that edges use. */
export const usedExits = (edges: readonly Edge[]): ReadonlySet<string> => new Set(edges.map(nameOf));

/**
 * The step that is needed at the end of a loop's turn so that every way through it yields n8n's items; undefined if the
 * last steps already yield them. `back` lists the outputs that lead back to the loop in n8n, and `used` all outputs that
 * edges use.
 */
export function endOf(
  turn: LoopResult,
  loop: { id: string; back: readonly Exit[] },
  { nodes, used }: { nodes: readonly Step[]; used: ReadonlySet<string> },
): End | undefined {
  const inside = nodes.filter(({ parentId }) => parentId === loop.id);
  const back = new Set(loop.back.map(nameOf));
  const elsewhere = inside.flatMap(exitsOf).filter(exit => !used.has(nameOf(exit)) && !back.has(nameOf(exit)));
  // A step that leads both back and to another step is not the last one.
  const leadsOn = loop.back.some(exit => used.has(nameOf(exit)));
  const value = valueOfTurn(turn, leadsOn || elsewhere.length > 0);
  return value === undefined ? undefined : { value, exits: [...loop.back, ...elsewhere], parentId: loop.id, inside };
}

export function stepAtEnd({ value, exits, parentId, inside }: End, { id, name }: Pick<Step, "id" | "name">): Graph {
  const places = inside.flatMap(({ position }) => position ?? []);
  const position = { x: Math.max(...places.map(({ x }) => x)) + STEP_WIDTH, y: places[0]?.y ?? 0 };
  return {
    nodes: [{ id, type: "transform", name, parentId, ...(places.length > 0 && { position }), data: { value } }],
    edges: exits.map((exit, index) => ({ id: `${id}_${index + 1}`, ...exit, target: id })),
  };
}
