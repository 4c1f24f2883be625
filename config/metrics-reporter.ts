import { MetricReporters, type MetricRegistry } from "moleculer";

type Labels = Record<string, string | number>;
/** Lines in Prometheus' text format; `labels` writes a label set, with those of this node. */
export type MetricSource = (labels: (own: Labels) => string) => string[];

interface Options {
  host: string;
  port: number;
}

/** Moleculer's Prometheus page, with sources of our own, on a port whose loss is a warning and not the end of the process. */
export class MetricsReporter extends MetricReporters.Prometheus {
  readonly #sources: MetricSource[];

  constructor({ host, port }: Options, sources: MetricSource[]) {
    // Not everybody who may read numbers needs to know the machine's users and networks.
    super({ host, port, excludes: ["process.arguments", "os.user.*", "os.network.*"] });
    this.#sources = sources;
  }

  override init(registry: MetricRegistry): void {
    super.init(registry);
    this.server.on("error", (error: NodeJS.ErrnoException) => {
      const { host, port } = this.opts;
      registry.broker.logger.warn(`No metrics on http://${host}:${port}/metrics: ${error.code ?? error.message}`);
    });
  }

  override async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    await super.stop();
  }

  override generatePrometheusResponse(): string {
    const labels = (own: Labels) => this.labelsToStr(own);
    return [super.generatePrometheusResponse(), ...this.#sources.flatMap(source => source(labels)), ""].join("\n");
  }
}
