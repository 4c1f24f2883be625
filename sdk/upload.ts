import { FILE_TYPES } from "./definition.ts";
import type { Endpoint } from "./endpoint.ts";
import { type ApiRequest, fillPath, queryOf, type Scope } from "./request.ts";

/** A file for a knowledge base. */
export interface FileToImport {
  workspaceId?: string | undefined;
  /** The id of the knowledge base. */
  id: string;
  /** Required, unless `file` is a File. */
  name?: string | undefined;
  file: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;
  /** A media type with its charset. Default: the type of the Blob, or that of the file name extension. */
  contentType?: string | undefined;
  /** The metadata of every entry that is created from the file. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The additional time that the service allows for the arrival of a file. */
const ON_ITS_WAY_MS = 60_000;

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function typeOf(name: string, file: FileToImport["file"]): string {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return textOf((file as Partial<Blob>).type) ?? FILE_TYPES[extension] ?? "text/plain";
}

/** @throws {TypeError} when the file has no name, or the knowledge base no id */
export function uploadRequest(endpoint: Endpoint, input: FileToImport, scope: Scope): ApiRequest {
  const { file, metadata } = input;
  const name = input.name ?? textOf((file as Partial<File>).name);
  if (name === undefined) throw new TypeError("name is missing");
  const query: [string, unknown][] = [["name", name]];
  if (metadata !== undefined) query.push(["metadata", JSON.stringify(metadata)]);
  const path = fillPath(endpoint, { ...input }, scope) + queryOf(query);
  const headers = { "content-type": input.contentType ?? typeOf(name, file) };
  return { method: endpoint.method, path, headers, body: file, waitMs: ON_ITS_WAY_MS };
}

/** A file to store. Runs then refer to it as `{"$file": …}`. */
export type FileToUpload = Pick<FileToImport, "workspaceId" | "name" | "file" | "contentType">;

/** A file for the answer to a question of a run. */
export type FileToAnswer = FileToUpload & {
  spaceId?: string | undefined;
  /** The id of the run. */
  id: string;
};

/** @throws {TypeError} when the file has no name, or the path lacks an id */
export function fileRequest(endpoint: Endpoint, input: FileToUpload | FileToAnswer, scope: Scope): ApiRequest {
  const { file } = input;
  const name = input.name ?? textOf((file as Partial<File>).name);
  if (name === undefined) throw new TypeError("name is missing");
  const path = fillPath(endpoint, { ...input }, scope) + queryOf([["name", name]]);
  const type = input.contentType ?? textOf((file as Partial<Blob>).type) ?? "application/octet-stream";
  return { method: endpoint.method, path, headers: { "content-type": type }, body: file, waitMs: ON_ITS_WAY_MS };
}
