import type { ActionSchema, CallingOptions, Context, Middleware } from "moleculer";
import { counter, gauge, type Histogram, histogram, type Value } from "../telemetry/instruments.ts";
import { currentScope, type Scope, withScope } from "../telemetry/scope.ts";
import { endSpan, tracing } from "../telemetry/tracing.ts";
import type { OpenSpan } from "../telemetry/tracing-port.ts";

type Next = (ctx: Context) => Promise<unknown>;
/**
 * The context that is sent with a call or an event, in addition to the sender's own. It travels between nodes as
 * headers.
 */
interface Along {
  traceparent?: string;
  executionId?: string;
}

const calls = counter("weft_action_calls_total");
const active = gauge("weft_action_active");
const durations = histogram("weft_action_duration_seconds");

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const codeOf = (error: unknown): string => {
  const { type, code, name } = (error ?? {}) as { type?: unknown; code?: unknown; name?: unknown };
  return text(type) ?? text(code) ?? text(name) ?? "unknown";
};

const isRefusal = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "number" && code < 500;
};

/**
 * The scope of a call: its own ids, completed with its caller's ids. If both are equal and no trace is recorded, the
 * caller's scope is reused, because entering another one is expensive.
 */
function scopeOf(ctx: Context, action?: string): Scope {
  const outer = currentScope();
  const { traceparent, executionId = outer?.executionId } = ctx.headers as Along;
  const params = ctx.params as { workspaceId?: unknown } | null | undefined;
  const requestId = ctx.requestID ?? undefined;
  const workspaceId = text(params?.workspaceId) ?? outer?.workspaceId;
  const traces = tracing();
  const isSame =
    outer?.requestId === requestId && outer?.workspaceId === workspaceId && outer?.executionId === executionId;
  if (outer && isSame && !traces) return outer;
  return { requestId, workspaceId, executionId, action, trace: traces?.read(traceparent) ?? outer?.trace };
}

/** The metrics of one action, looked up once. */
class Numbers {
  readonly active: Value;
  readonly durations: Histogram;
  readonly ok: Value;
  readonly #action: string;

  constructor(action: string) {
    this.#action = action;
    this.active = active(action);
    this.durations = durations(action);
    this.ok = calls(action, "ok");
  }

  ended(began: number, error?: { thrown: unknown }): void {
    this.active.add(-1);
    this.durations.observe((performance.now() - began) / 1_000);
    if (!error) this.ok.add();
    else calls(this.#action, isRefusal(error.thrown) ? "refused" : "failed").add();
  }
}

function span(scope: Scope, name: string): OpenSpan | undefined {
  const underway = tracing()?.begin(name, "internal", { "weft.request.id": scope.requestId }, scope.trace);
  if (underway) scope.trace = underway.trace;
  return underway;
}

/** Adds the context to the options of a call or event. Returns them unchanged if there is nothing to add. */
function along<O extends CallingOptions>(options: O | undefined): O | undefined {
  const scope = currentScope();
  if (!scope) return options;
  const { requestId, executionId, trace } = scope;
  const traceparent = trace && tracing()?.write(trace);
  const named = requestId !== undefined && options?.parentCtx === undefined && options?.requestID === undefined;
  if (!named && traceparent === undefined && executionId === undefined) return options;
  const headers: Along = {
    ...options?.headers,
    ...(executionId !== undefined && { executionId }),
    ...(traceparent !== undefined && { traceparent }),
  };
  return { ...options, ...(named && { requestID: requestId }), headers } as O;
}

type Send = (name: string, payload: unknown, options?: CallingOptions) => unknown;
const sent =
  (next: Send): Send =>
  (name, payload, options) =>
    next(name, payload, along(options));

/**
 * Measures and traces the actions of this node, and passes request, execution and trace on to the calls that they make.
 * Moleculer's own middleware costs ten times as much per call, because it looks up seven label sets and keeps every
 * duration for its quantiles. This is the outermost middleware.
 */
export const observe: Middleware = {
  name: "observe",
  call: sent as never,
  emit: sent as never,
  broadcast: sent as never,

  localAction(next: Next, { name = "" }: ActionSchema) {
    // Created at the first call, so actions without calls have no series.
    let numbers: Numbers | undefined;
    return function observed(ctx: Context) {
      const own = (numbers ??= new Numbers(name));
      const scope = scopeOf(ctx, name);
      const underway = span(scope, name);
      const began = performance.now();
      own.active.add();
      const done = scope === currentScope() ? next(ctx) : withScope(scope, () => next(ctx));
      return done.then(
        result => {
          own.ended(began);
          if (underway) endSpan(underway);
          return result;
        },
        (thrown: unknown) => {
          own.ended(began, { thrown });
          if (underway) endSpan(underway, codeOf(thrown));
          throw thrown;
        },
      );
    };
  },

  localEvent(next: (ctx: Context) => void | Promise<void>) {
    return function heard(ctx: Context) {
      return withScope(scopeOf(ctx), () => next(ctx));
    };
  },
};
