import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Values = Record<string, string | number | boolean>;

/** A span in the form that a collector receives. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** As OTLP numbers them: 1 internal, 2 server, 3 client. */
  kind: number;
  status: { code: number };
  attributes: Values;
  /** From the process that sent it. */
  resource: Values;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; boolValue?: boolean };
}
interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, "attributes" | "resource"> & { attributes: Attribute[] })[] }[];
  }[];
}

const valuesOf = (attributes: Attribute[]): Values =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ""]));

/** A server that receives traces by OTLP over HTTP, as JSON. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** The headers of the last request. */
  headers: Record<string, unknown> = {};
  private readonly server: Server;

  private constructor() {
    this.server = createServer((req, res) => {
      if (req.method !== "POST" || req.url !== "/v1/traces") return void res.writeHead(404).end();
      this.headers = req.headers;
      json(req).then(
        sent => {
          this.take(sent as Sent);
          res.writeHead(200, { "Content-Type": "application/json" }).end("{}");
        },
        () => res.writeHead(400).end(),
      );
    });
  }

  static async open(): Promise<Collector> {
    const collector = new Collector();
    collector.server.listen(0, "127.0.0.1").unref();
    await once(collector.server, "listening");
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private take({ resourceSpans }: Sent): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const sender = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          this.spans.push({ ...span, attributes: valuesOf(span.attributes), resource: sender });
        }
      }
    }
  }
}
