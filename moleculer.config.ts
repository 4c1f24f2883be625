import type { BrokerOptions } from "moleculer";
import { resolveSources } from "./config/resolve-sources.ts";

/** Called by moleculer-runner for a node's options. */
export default async function (this: { servicePaths: string[] }): Promise<BrokerOptions> {
  resolveSources();
  // Not imported above, because that would load it before the line above.
  const { nodeOptions } = await import("./broker-options.ts");
  const { options, services } = await nodeOptions();
  // The runner reads SERVICES too, and would treat the names as paths.
  delete process.env.SERVICES;
  // Files, because the runner takes longer to search a folder than to load most services.
  this.servicePaths = services.map(name => `services/${name}/${name}.service.ts`);
  return options;
}
