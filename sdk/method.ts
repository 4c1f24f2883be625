import type { Call, ListCall, Page } from "./call.ts";
import type { Calls } from "./definition.ts";
import type { CallOptions } from "./transport.ts";

type CallName = keyof Calls;

/** Fields that the client fills in if a call leaves them out. */
type Preset = "workspaceId" | "spaceId" | "fromSpaceId";
export type MethodInput<I> = string extends keyof I
  ? Partial<Record<Preset, never>>
  : Omit<I, Preset> & { [K in keyof I & Preset]?: I[K] };

/** The arguments of a call. The first one may be left out if none of its fields is required. */
export type Arguments<I, O> = Partial<I> extends I ? [input?: I, options?: O] : [input: I, options?: O];

type Result<O> = unknown extends O ? Call<O> : O extends Page<infer T> ? ListCall<T> : Call<O>;

/** A method of the client that makes one call. */
export type Method<N extends CallName> = (
  ...args: Arguments<MethodInput<Calls[N]["input"]>, CallOptions>
) => Result<Calls[N]["output"]>;

type NextWord<Rest> = Rest extends `${infer Word}.${string}` ? Word : Rest;
type WordAfter<Begin extends string, N = CallName> = N extends `${Begin}${infer Rest}` ? NextWord<Rest> : never;

/** The calls, nested by their names: `workflows.create`, `identity.apiKeys.list`. */
export type Tree<Begin extends string = ""> = {
  readonly [W in WordAfter<Begin>]: `${Begin}${W}` extends CallName
    ? Method<`${Begin}${W}` & CallName>
    : Tree<`${Begin}${W}.`>;
};
