import type { z } from "zod";
import { ACTIONS, type ActionName } from "../../../contracts/actions.ts";
import type { OwnToolName } from "../../../contracts/entities/workflow-tool.ts";
import { type Role, ROLES } from "../../../contracts/primitives.ts";
import { ROUTES } from "../../../contracts/routes.ts";
import type { CallContext } from "./caller.ts";
import type { McpSession } from "./session.ts";

/** The result of a call. Structured content without other content is also shown as text. */
export interface ToolAnswer {
  structured?: unknown;
  content?: unknown[];
  isError?: boolean;
}

/** Hints for clients (Model Context Protocol, ToolAnnotations). The server does not rely on them. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

const none = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
export const READS: Annotations = { ...none, readOnlyHint: true, idempotentHint: true };
export const ADDS: Annotations = none;
export const ENDS: Annotations = { ...none, destructiveHint: true, idempotentHint: true };
/** For tools that run a workflow, or a tool of another server. Such a tool may do anything. */
export const DOES_ANYTHING: Annotations = { ...none, destructiveHint: true, openWorldHint: true };

export interface ToolDefinition<I extends z.ZodObject> {
  name: OwnToolName;
  title: string;
  description: string;
  /** The action that decides about access. Callers whose role may not call it do not see the tool. */
  action: ActionName;
  input: I;
  /** The schema of `structured`. */
  output?: z.ZodObject;
  annotations: Annotations;
  run(args: z.output<I>, session: McpSession, context: CallContext): Promise<ToolAnswer>;
}

/** A tool as it is stored in the table of tools. */
export interface OwnTool extends Omit<ToolDefinition<z.ZodObject>, "run"> {
  role: Role;
  run(args: unknown, session: McpSession, context: CallContext): Promise<ToolAnswer>;
}

const isRole = (access: string): access is Role => (ROLES as readonly string[]).includes(access);

export function tool<I extends z.ZodObject>(definition: ToolDefinition<I>): OwnTool {
  // A route may name the lowest role if the action performs the other checks.
  const access = ROUTES.find(({ action }) => action === definition.action)?.role ?? ACTIONS[definition.action].access;
  if (!isRole(access)) throw new Error(`${definition.action} asks for no role.`);
  return {
    ...definition,
    role: access,
    run: (args, session, context) => definition.run(args as z.output<I>, session, context),
  };
}
