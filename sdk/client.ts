import type { Call } from "./call.ts";
import type { Calls, Execution, LogEntry, Streams } from "./definition.ts";
import type { StreamEvent, StreamOptions } from "./event-stream.ts";
import type { Arguments, Given } from "./method.ts";
import type { Methods } from "./methods.ts";
import type { CallOptions } from "./transport.ts";
import type { FileToImport } from "./upload.ts";

type Stream<N extends keyof Streams> = (
  ...args: Arguments<Given<Streams[N]["input"]>, StreamOptions>
) => AsyncGenerator<StreamEvent<Streams[N]["data"]>, void, undefined>;

export interface UntilEndOptions extends StreamOptions {
  /** Called with each entry of the log as it is written. */
  onEntry?: ((entry: LogEntry) => void) | undefined;
}

export interface Client extends Methods {
  readonly executions: Methods["executions"] & {
    /** Follows the log of a run from its beginning, or from `lastEventId`, to its end. */
    readonly events: Stream<"executions.events">;
    /** Waits for the end of a run, without a time limit, and returns the run. */
    readonly untilEnd: (
      input: Given<Streams["executions.events"]["input"]>,
      options?: UntilEndOptions,
    ) => Promise<Execution>;
  };
  readonly knowledge: Methods["knowledge"] & {
    readonly imports: {
      /** Like `create`, but the file is sent as raw bytes and may be larger. */
      readonly upload: (
        input: FileToImport,
        options?: CallOptions,
      ) => Call<Calls["knowledge.imports.create"]["output"]>;
    };
  };
  readonly notifications: Methods["notifications"] & {
    /** Follows notifications, from now on or after `lastEventId`, until the caller stops. */
    readonly stream: Stream<"notifications.stream">;
  };
}
