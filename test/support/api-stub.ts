import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Pages } from "./api-shape.ts";

interface Request {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that records its requests, and serves pages and documents. */
export class ApiStub {
  readonly requests: Request[] = [];
  /** Documents and pages, by their paths. */
  readonly documents = new Map<string, object | string>();
  readonly pages = new Map<string, Pages>();
  readonly #server = createServer((req, res) => {
    void text(req).then(body => {
      const { method = "", url = "", headers } = req;
      this.requests.push({ method, url, headers, body });
      const { pathname, searchParams } = new URL(url, this.url);
      const document = this.documents.get(pathname);
      if (document !== undefined) {
        res.end(typeof document === "string" ? document : JSON.stringify(document));
        return;
      }
      try {
        const { body: page = { received: true }, headers: own = {} } =
          this.pages.get(pathname)?.(searchParams, this.url) ?? {};
        res.writeHead(200, { "content-type": "application/json", ...own }).end(JSON.stringify(page));
      } catch (error) {
        res.writeHead(400, { "content-type": "text/plain" }).end(String(error));
      }
    });
  });

  static async open(): Promise<ApiStub> {
    const stub = new ApiStub();
    stub.#server.listen(0, "127.0.0.1").unref();
    await once(stub.#server, "listening");
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}
