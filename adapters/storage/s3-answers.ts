import { Parser } from "htmlparser2";

export interface ListedObject {
  key: string;
  size: number;
  etag: string;
  lastModified: string;
}

export interface ListPage {
  objects: ListedObject[];
  /** The token of the next page; undefined on the last page. */
  next: string | undefined;
}

/**
 * Calls `setRateHeaders` with each text and the names of the elements around it, outermost first. Entities that the document
 * defines are not read.
 */
function readXml(xml: string, onText: (path: readonly string[], text: string) => void, ended: (name: string) => void) {
  const path: string[] = [];
  let text = "";
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name);
        text = "";
      },
      ontext: more => void (text += more),
      onclosetag(name) {
        if (text !== "") onText(path, text);
        text = "";
        path.pop();
        ended(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

/** Keys are encoded as in a form, because XML cannot express all characters. */
const decoded = (text: string) => decodeURIComponent(text.replaceAll("+", " "));

/**
 * A page of the answer to `ListObjectsV2` with `encoding-type=url`.
 * @throws {URIError} when a key cannot be decoded
 */
export function readList(xml: string): ListPage {
  const objects: ListedObject[] = [];
  let at: Record<string, string> = {};
  let next: string | undefined;
  readXml(
    xml,
    (path, text) => {
      const name = path.at(-1) ?? "";
      if (path.at(-2) === "Contents") at[name] = text;
      else if (name === "NextContinuationToken") next = text;
    },
    name => {
      if (name !== "Contents") return;
      const { Key = "", Size = "0", ETag = "", LastModified = "" } = at;
      objects.push({ key: decoded(Key), size: Number(Size), etag: ETag, lastModified: LastModified });
      at = {};
    },
  );
  return { objects, next };
}

/** The store's error code, such as `NoSuchKey`; empty if the answer has none. */
export function readErrorCode(xml: string): string {
  let code = "";
  readXml(
    xml,
    (path, text) => {
      if (path.at(-1) === "Code" && path.at(-2) === "Error") code = text.slice(0, 100);
    },
    () => undefined,
  );
  return code;
}
