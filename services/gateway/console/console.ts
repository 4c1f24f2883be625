import { notFound } from "../../../contracts/errors.ts";
import { once } from "../../../core/once.ts";
import { noneMatchNames } from "../http/etag.ts";
import type { Exchange } from "../http/exchange.ts";
import { cacheControl, CONSOLE_HEADERS } from "../http/security-headers.ts";
import { acceptedEncoding } from "../http/accepted-encoding.ts";
import { wantsHtml } from "../http/wants-html.ts";
import { type ConsoleFile, readConsole } from "./files.ts";
import { pagesFor } from "./paths.ts";

const ASSETS = "/assets/";
/** Below it there is only the API, whose clients get JSON whatever they accept. */
const API = "/v1";
const PAGE = "/index.html";
const NOT_BUILT = "The console is not built. Run `npm run console:build` and restart the service.\n";

const isRead = ({ req: { method } }: Exchange): boolean => method === "GET" || method === "HEAD";

/** Serves the web page and its files. Every other request goes on to the router. */
export class ConsolePages {
  /** Read at the first request for a file. A process whose clients only call the API never loads them. */
  readonly #files = once(readConsole);

  /**
   * Returns true if it has responded.
   * @throws {AppError} not_found for assets that do not exist, so that an old page never receives HTML in place of a
   * script
   */
  answer(x: Exchange): boolean {
    if (!isRead(x)) return false;
    if (x.path.startsWith(ASSETS)) {
      x.route = "/assets/:file";
      const file = this.#files()?.get(x.path);
      if (!file) throw notFound("file");
      this.#send(x, file);
      return true;
    }
    const pages = pagesFor(x.path);
    if (pages.length === 0 || !wantsHtml(x)) return false;
    x.route = "console";
    const files = this.#files();
    const file = pages.map(path => files?.get(path)).find(found => found !== undefined);
    if (file) this.#send(x, file);
    else x.send(404, "text/plain; charset=utf-8", NOT_BUILT);
    return true;
  }

  /**
   * Answers a browser at a path that nothing serves: the page says so, and leads home. The status stays 404. Returns
   * true if it has responded.
   */
  answerUnknown(x: Exchange): boolean {
    const isOfApi = x.path === API || x.path.startsWith(`${API}/`);
    const file = isOfApi || !isRead(x) || !wantsHtml(x) ? undefined : this.#files()?.get(PAGE);
    if (!file) return false;
    x.headers.push("Cache-Control", "no-store", "Vary", "Accept");
    x.send(404, file.type, file.plain, CONSOLE_HEADERS);
    return true;
  }

  #send(x: Exchange, { type, etag, immutable, plain, encoded }: ConsoleFile): void {
    const { headers } = x.req;
    const encoding = acceptedEncoding(headers["accept-encoding"], Object.keys(encoded));
    // Each encoding of a file needs its own tag.
    const tag = encoding ? etag.replace(/"$/, `-${encoding}"`) : etag;
    x.headers.push("ETag", tag, "Cache-Control", cacheControl(immutable));
    x.headers.push("Vary", immutable ? "Accept-Encoding" : "Accept, Accept-Encoding");
    if (noneMatchNames(headers["if-none-match"], tag)) return x.send(304, undefined, "", CONSOLE_HEADERS);
    if (encoding) x.headers.push("Content-Encoding", encoding);
    x.send(200, type, (encoding && encoded[encoding]) ?? plain, CONSOLE_HEADERS);
  }
}
