import type { Call } from "./call.ts";
import type { Calls, Execution, LogEntry, StoredFile, Streams } from "./definition.ts";
import type { StreamEvent, StreamOptions } from "./event-stream.ts";
import type { Arguments, MethodInput } from "./method.ts";
import type { Methods } from "./methods.ts";
import type { CallOptions } from "./transport.ts";
import type { StartWithFiles } from "./start-with-files.ts";
import type { FileToAnswer, FileToImport, FileToUpload } from "./upload.ts";

type Stream<N extends keyof Streams> = (
  ...args: Arguments<MethodInput<Streams[N]["input"]>, StreamOptions>
) => AsyncGenerator<StreamEvent<Streams[N]["data"]>, void, undefined>;

/** The options of `executions.untilEnd`. */
export interface UntilEndOptions extends StreamOptions {
  /** Called with each new entry of the log. */
  onEntry?: ((entry: LogEntry) => void) | undefined;
}

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** The bytes from `from` up to, but not including, `to`. Without `to`, up to the end. */
  range?: { from: number; to?: number | undefined } | undefined;
}

/** The methods of a client: one for each route, and those that need several requests or a file. */
export interface Client extends Methods {
  readonly executions: Methods["executions"] & {
    /** Starts a run whose input contains files. They become files of the workspace. */
    readonly startWithFiles: (input: StartWithFiles, options?: CallOptions) => Call<Execution>;
    /** Uploads a file for the answer to an open question of a run. The run then holds the file. */
    readonly uploadFile: (input: FileToAnswer, options?: CallOptions) => Call<StoredFile>;
    /** Follows the log of a run from its beginning, or from `lastEventId`, to its end. */
    readonly events: Stream<"executions.events">;
    /** Waits for the end of a run, without a time limit, and returns the run. */
    readonly untilEnd: (
      input: MethodInput<Streams["executions.events"]["input"]>,
      options?: UntilEndOptions,
    ) => Promise<Execution>;
  };
  readonly files: Methods["files"] & {
    /** Uploads a file. A Blob that is a file on disk is read while it is sent. */
    readonly upload: (input: FileToUpload, options?: CallOptions) => Call<StoredFile>;
    /** Downloads a file, or a range of it. The body of the response is a stream. */
    readonly download: (
      input: { workspaceId?: string | undefined; id: string },
      options?: DownloadOptions,
    ) => Promise<Response>;
  };
  readonly workspaces: Methods["workspaces"] & {
    /**
     * Exports a workspace. The body of the response is a stream of JSON Lines. If the last line does not have the kind
     * `end`, the archive is incomplete.
     */
    readonly export: (
      input?: { workspaceId?: string | undefined },
      options?: Pick<DownloadOptions, "signal">,
    ) => Promise<Response>;
    /**
     * Follows the events of a workspace, from now on or after `lastEventId`, until the caller stops. After the event
     * `reset`, read again everything that may have changed.
     */
    readonly events: Stream<"workspaces.events">;
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
