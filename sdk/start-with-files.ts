import type { Calls } from "./definition.ts";
import type { Endpoint } from "./endpoint.ts";
import type { MethodInput } from "./method.ts";
import { type ApiRequest, fillPath, HEADER_TEXT, type Scope } from "./request.ts";

/** A file of a run's input. */
export interface InputFile {
  file: Blob;
  /** Default: the name of the File, or the name of the member of the input. */
  name?: string | undefined;
  /** A media type. Default: the type of the Blob. */
  contentType?: string | undefined;
}

/** A run whose input contains files. Each file becomes the member with its name, next to the members of `input`. */
export type StartWithFiles = MethodInput<Calls["executions.start"]["input"]> & {
  files: Readonly<Record<string, Blob | InputFile | readonly (Blob | InputFile)[]>>;
};

/** The additional time that the service allows for the arrival of files. */
const ON_THEIR_WAY_MS = 60_000;

const isBlob = (value: unknown): value is Blob => typeof (value as Partial<Blob> | null)?.slice === "function";

function append(form: FormData, member: string, given: Blob | InputFile): void {
  const { file, name, contentType } = isBlob(given) ? ({ file: given } as InputFile) : given;
  const typed = contentType === undefined ? file : file.slice(0, file.size, contentType);
  form.append(member, typed, name ?? ((file as Partial<File>).name || member));
}

/**
 * The request as a form. A Blob that is a file on disk is read while it is sent.
 * @throws {TypeError} when the path lacks an id, or a file has the name of a field of the request
 */
export function startRequest(
  endpoint: Endpoint,
  { files, input, ...given }: StartWithFiles & Record<string, unknown>,
  scope: Scope,
): ApiRequest {
  const { variables, headers: headerFields } = endpoint;
  const elsewhere = new Set([...variables.map(({ field }) => field), ...Object.values(headerFields)]);
  const form = new FormData();
  for (const [field, value] of Object.entries(given)) {
    if (elsewhere.has(field) || value === undefined) continue;
    if (Object.hasOwn(files, field)) throw new TypeError(`A file cannot be named ${field}`);
    form.append(field, typeof value === "string" ? value : JSON.stringify(value));
  }
  if (input !== undefined && input !== null) form.append("input", JSON.stringify(input));
  for (const [member, one] of Object.entries(files))
    for (const file of Array.isArray(one) ? (one as (Blob | InputFile)[]) : [one as Blob | InputFile])
      append(form, member, file);
  const waitMs = Number(given.waitMs ?? 0);
  const headers: Record<string, string> = waitMs > 0 ? { prefer: HEADER_TEXT.prefer!(waitMs) } : {};
  const path = fillPath(endpoint, given, scope);
  return { method: endpoint.method, path, headers, body: form, waitMs: waitMs + ON_THEIR_WAY_MS };
}
