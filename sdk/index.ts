export { type Answer, Call, ListCall, type Page } from "./call.ts";
export type { Client, UntilEndOptions } from "./client.ts";
export type * from "./definition.ts";
export { type Problem, WeftConnectionError, WeftError } from "./errors.ts";
export type { StreamEvent, StreamOptions } from "./event-stream.ts";
export { isUsable, sessionToken } from "./session.ts";
export type { CallOptions, TokenSource } from "./transport.ts";
export type { FileToImport, FileToUpload } from "./upload.ts";
export { Weft, type WeftOptions } from "./weft.ts";
