const FORM = "application/x-www-form-urlencoded";
const TYPES = { json: "application/json", form: FORM, text: "text/plain; charset=utf-8" } as const;
const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/** Thrown for a body that cannot be sent as its content type requires. */
export class BodyError extends Error {}

/**
 * Encodes an object as a form. A list becomes a repeated field; null is left out.
 * @throws {BodyError} when a value is neither a scalar nor a list of scalars
 */
function formOf(body: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item === null || item === undefined) continue;
      if (!isScalar(item))
        throw new BodyError(
          `/data/body/${name}: expected text, a number, a boolean or a list of them, since the body is sent as a form`,
        );
      form.append(name, String(item));
    }
  }
  return form.toString();
}

/**
 * Encodes the body as `bodyType` says. Without it, a text stays as it is, an object with a form type becomes a form,
 * and everything else becomes JSON. Sets the content type in `headers` if it is missing. The names in `headers` are in
 * lower case.
 * @throws {BodyError} when a value of a form is neither a scalar nor a list of scalars
 */
export function encodeBody(
  body: unknown,
  headers: Record<string, string>,
  bodyType?: keyof typeof TYPES,
): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (bodyType !== undefined) headers["content-type"] ??= TYPES[bodyType];
  if (bodyType === "json") return JSON.stringify(body);
  if (typeof body === "string") return body;
  if (bodyType === "text") throw new BodyError("/data/body: expected text");
  const [type = ""] = (bodyType === "form" ? FORM : (headers["content-type"] ?? "")).split(";");
  if (type.trim().toLowerCase() === FORM && typeof body === "object" && !Array.isArray(body)) return formOf(body);
  headers["content-type"] ??= "application/json";
  return JSON.stringify(body);
}

function decoderOf(charset: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset ?? "utf-8", { fatal: true });
  } catch {
    return new TextDecoder("utf-8", { fatal: true });
  }
}

function decoded(bytes: Uint8Array, type: string, isWhole: boolean): string | undefined {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1];
  if (bytes.includes(0) && !/^utf-?16/i.test(charset ?? "")) return undefined;
  try {
    return decoderOf(charset).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}

/** Decodes a response in the charset that `type` names; undefined if the bytes are not text. */
export const textOf = (bytes: Uint8Array, type: string): string | undefined => decoded(bytes, type, true);

/** Whether the beginning of a response is text. Its last character may be incomplete. */
export const isTextSoFar = (bytes: Uint8Array, type: string): boolean => decoded(bytes, type, false) !== undefined;

/**
 * The body of a response. `auto` parses content whose type is JSON, and keeps other content as text. Undefined if
 * `json` is wanted and the text is not JSON.
 */
export function readBody(text: string, type: string, wanted: "auto" | "json" | "text"): unknown {
  if (wanted === "text" || (wanted === "auto" && (!/\bjson\b/i.test(type) || text === ""))) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return wanted === "json" ? undefined : text;
  }
}
