import type { Call, ListCall, Page } from "./call.ts";
import type { Calls, Execution, LogEntry, Streams } from "./definition.ts";
import type { StreamEvent, StreamOptions } from "./event-stream.ts";
import type { CallOptions } from "./transport.ts";
import type { FileToImport } from "./upload.ts";

type CallName = keyof Calls;

/** Fields that the client fills in when a call leaves them out. */
type Preset = "workspaceId" | "spaceId" | "fromSpaceId";
type Given<I> = string extends keyof I
  ? Partial<Record<Preset, never>>
  : Omit<I, Preset> & { [K in keyof I & Preset]?: I[K] };

/** The arguments of a call. The first one may be left out when none of its fields is required. */
type Arguments<I, O> = Partial<I> extends I ? [input?: I, options?: O] : [input: I, options?: O];

type Result<O> = unknown extends O ? Call<O> : O extends Page<infer T> ? ListCall<T> : Call<O>;

type Method<N extends CallName> = (
  ...args: Arguments<Given<Calls[N]["input"]>, CallOptions>
) => Result<Calls[N]["output"]>;

type NextWord<Rest> = Rest extends `${infer Word}.${string}` ? Word : Rest;
type WordAfter<Begin extends string, N = CallName> = N extends `${Begin}${infer Rest}` ? NextWord<Rest> : never;

/** The calls, nested by their names: `workflows.create`, `identity.apiKeys.list`. */
type Tree<Begin extends string = ""> = {
  readonly [W in WordAfter<Begin>]: `${Begin}${W}` extends CallName
    ? Method<`${Begin}${W}` & CallName>
    : Tree<`${Begin}${W}.`>;
};

type Stream<N extends keyof Streams> = (
  ...args: Arguments<Given<Streams[N]["input"]>, StreamOptions>
) => AsyncGenerator<StreamEvent<Streams[N]["data"]>, void, undefined>;

export interface UntilEndOptions extends StreamOptions {
  /** Called with each entry of the log as it is written. */
  onEntry?: ((entry: LogEntry) => void) | undefined;
}

export interface Client extends Tree {
  readonly executions: Tree<"executions."> & {
    /** Follows the log of a run from its beginning, or from `lastEventId`, to its end. */
    readonly events: Stream<"executions.events">;
    /** Waits for the end of a run, without a time limit, and returns the run. */
    readonly untilEnd: (
      input: Given<Streams["executions.events"]["input"]>,
      options?: UntilEndOptions,
    ) => Promise<Execution>;
  };
  readonly knowledge: Tree<"knowledge."> & {
    readonly imports: {
      /** Like `create`, but the file is sent as raw bytes and may be larger. */
      readonly upload: (
        input: FileToImport,
        options?: CallOptions,
      ) => Call<Calls["knowledge.imports.create"]["output"]>;
    };
  };
  readonly notifications: Tree<"notifications."> & {
    /** Follows notifications, from now on or after `lastEventId`, until the caller stops. */
    readonly stream: Stream<"notifications.stream">;
  };
}
