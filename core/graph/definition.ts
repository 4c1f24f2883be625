import { z } from "zod";

/** A policy, with defaults for the values that it does not state. */
export const policy = z.object({
  retry: z
    .object({
      maxAttempts: z.int().min(1).max(100).default(1),
      backoff: z.enum(["exponential", "fixed"]).default("exponential"),
      initialMs: z.number().min(0).max(86_400_000).default(500),
      /** 60,000 if absent. A server that asks to wait may then ask for up to five minutes. */
      maxMs: z.number().min(0).max(86_400_000).optional(),
      jitter: z.number().min(0).max(1).default(0.2),
    })
    .prefault({}),
  timeoutMs: z.number().min(1).max(3_600_000).optional(),
  onError: z.enum(["fail", "continue", "route"]).default("fail"),
  /** The id of the step that undoes this one when the run fails. */
  compensate: z.string().min(1).max(200).optional(),
});
export type Policy = z.output<typeof policy>;
/** The time limit of a step whose policy states none. Steps that wait for others have no default limit. */
export const DEFAULT_TIMEOUT_MS = 30_000;

const nodeId = z.string().min(1).max(200);
/** React Flow writes null for an absent value. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform(value => value ?? undefined);

/** A node as the visual builder saves it. Keys that only the builder needs (position, size …) are ignored. */
export const definitionNode = z.object({
  id: nodeId,
  type: z.string().min(1).max(100),
  name: optional(z.string().max(200)),
  parentId: optional(z.string().max(200)),
  data: optional(z.record(z.string(), z.unknown())),
  policy: optional(policy),
  /** A disabled node passes on its input, and its data need not be complete. */
  disabled: optional(z.boolean()),
});
export type DefinitionNode = z.output<typeof definitionNode>;

export const definitionEdge = z.object({
  source: nodeId,
  target: nodeId,
  sourceHandle: optional(z.string().max(200)),
});
export type DefinitionEdge = z.output<typeof definitionEdge>;

export const MAX_NODES = 2_000;
export const MAX_EDGES = 10_000;
