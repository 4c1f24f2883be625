import { answerOf, Call, ListCall, type Page } from "./call.ts";
import type { Client, DownloadOptions, UntilEndOptions } from "./client.ts";
import { ENDPOINTS, FILE_ENDPOINTS, type LogEntry, STREAM_ENDPOINTS } from "./definition.ts";
import type { Endpoint } from "./endpoint.ts";
import { WeftConnectionError } from "./errors.ts";
import { follow, type StreamEvent, type StreamOptions } from "./event-stream.ts";
import { type ApiRequest, type Input, requestOf, type Scope } from "./request.ts";
import { type CallOptions, Transport, type TransportOptions } from "./transport.ts";
import type { StartWithFiles } from "./start-with-files.ts";
import { type FileToImport, type FileToUpload, fileRequest, uploadRequest } from "./upload.ts";

/** `workspaceId` and `spaceId` are the defaults for calls without them. */
export interface WeftOptions extends TransportOptions, Scope {}

type Group = Record<string, unknown>;

/** Adds a method at the place that its name describes: `workspaces.invites.list`. */
function place(root: object, name: string, method: unknown): void {
  const words = name.split(".");
  const last = words.pop() ?? "";
  const group = words.reduce<Group>((at, word) => (at[word] ??= {}) as Group, root as Group);
  group[last] = method;
}

/** The part of the input that identifies a resource. Callers may pass the resource itself as the input. */
const addressOf = ({ variables, query = [] }: Endpoint, input: Input): Input =>
  Object.fromEntries([...variables.map(({ field }) => field), ...query].map(field => [field, input[field]]));

class Caller {
  readonly #options: WeftOptions;
  readonly #transport: Transport;

  constructor(options: WeftOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
    for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
      place(this, name, (input?: Input, given?: CallOptions) => this.#call(endpoint, input, given));
    }
    for (const [name, endpoint] of Object.entries(STREAM_ENDPOINTS)) {
      place(this, name, (input?: Input, given?: StreamOptions) => this.#follow(endpoint, input, given));
    }
    place(this, "knowledge.imports.upload", (input: FileToImport, given?: CallOptions) => this.#upload(input, given));
    for (const name of ["files.upload", "executions.uploadFile"] as const)
      place(this, name, (input: FileToUpload, given?: CallOptions) => this.#send(name, input, given));
    for (const name of ["files.download", "workspaces.export"] as const)
      place(this, name, (input?: Input, given?: DownloadOptions) => this.#download(name, input, given));
    place(this, "executions.startWithFiles", (input: StartWithFiles, given?: CallOptions) => this.#start(input, given));
    place(this, "executions.untilEnd", (input: Input, given?: UntilEndOptions) => this.#untilEnd(input, given));
  }

  /** A copy of this client with other options, such as another space or another caller. */
  with(options: Partial<WeftOptions>): Weft {
    return new Weft({ ...this.#options, ...options });
  }

  #call(endpoint: Endpoint, input: Input = {}, options: CallOptions = {}): Call<unknown> {
    const ask = async <T>(more: Input = {}) =>
      this.#answer<T>(endpoint, requestOf(endpoint, { ...input, ...more }, this.#options), options);
    if (endpoint.method !== "GET") return new Call(ask());
    return new ListCall(ask<Page<unknown>>(), cursor => ask({ cursor }));
  }

  async #answer<T>(endpoint: Endpoint, request: ApiRequest, options: CallOptions) {
    const received = await this.#transport.send(request, endpoint.creates, options);
    if (typeof received.body === "string" && !endpoint.delivery) {
      throw new WeftConnectionError(`${this.#options.url} does not answer as Weft does`);
    }
    return answerOf<T>(received, endpoint.method === "GET");
  }

  #upload(input: FileToImport, options: CallOptions = {}): Call<unknown> {
    const endpoint = ENDPOINTS["knowledge.imports.create"]!;
    const ask = async () => this.#answer(endpoint, uploadRequest(endpoint, input, this.#options), options);
    return new Call(ask());
  }

  #send(name: "files.upload" | "executions.uploadFile", input: FileToUpload, options: CallOptions = {}): Call<unknown> {
    const endpoint = FILE_ENDPOINTS[name];
    const ask = async () => this.#answer(endpoint, fileRequest(endpoint, input, this.#options), options);
    return new Call(ask());
  }

  #start(input: StartWithFiles, options: CallOptions = {}): Call<unknown> {
    const endpoint = ENDPOINTS["executions.start"]!;
    const ask = async () => {
      // Loaded on demand to keep pages small.
      const { startRequest } = await import("./start-with-files.ts");
      return this.#answer<unknown>(endpoint, startRequest(endpoint, { ...input }, this.#options), options);
    };
    return new Call(ask());
  }

  #download(
    name: "files.download" | "workspaces.export",
    input: Input = {},
    { range, signal }: DownloadOptions = {},
  ): Promise<Response> {
    const endpoint = FILE_ENDPOINTS[name];
    const request = requestOf(endpoint, addressOf(endpoint, input), this.#options);
    const headers: Record<string, string> = { ...request.headers, accept: "*/*" };
    if (range) headers.range = `bytes=${range.from}-${range.to === undefined ? "" : range.to - 1}`;
    return this.#transport.open({ ...request, headers }, signal ?? new AbortController().signal);
  }

  #follow<T>(endpoint: Endpoint, input: Input = {}, options: StreamOptions = {}) {
    const request = requestOf(endpoint, addressOf(endpoint, input), this.#options);
    return follow<T>((lastEventId, signal) => {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
      return this.#transport.open({ ...request, headers }, signal);
    }, options);
  }

  async #untilEnd(input: Input, { onEntry, ...options }: UntilEndOptions = {}): Promise<unknown> {
    const events = this.#follow<LogEntry>(STREAM_ENDPOINTS["executions.events"], input, options);
    for await (const { data } of events as AsyncIterable<StreamEvent<LogEntry>>) onEntry?.(data);
    const endpoint = ENDPOINTS["executions.get"]!;
    return this.#call(endpoint, addressOf(endpoint, input), { signal: options.signal });
  }
}

/**
 * A client of one service with the credentials of one caller. Calls have the names of the operations in
 * `/openapi.json`.
 */
export type Weft = Caller & Client;
export const Weft = Caller as unknown as new (options: WeftOptions) => Weft;
