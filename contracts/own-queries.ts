import { z } from "zod";
import { payloads } from "./actions/executions.ts";
import type { GatewayRoute } from "./routes/gateway.ts";

/**
 * The fields of the queries of routes that the gateway answers itself. The routes name them too, because the SDK, which
 * loads no package, reads the routes.
 */
export const OWN_QUERIES: Partial<Record<GatewayRoute["name"], z.ZodObject>> = {
  events: z.strictObject({ payloads }),
};
