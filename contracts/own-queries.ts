import { z } from "zod";
import { payloads } from "./actions/executions.ts";
import { WORKSPACE_EVENT_NAMES } from "./entities/workspace-event.ts";
import { several } from "./primitives.ts";
import type { GatewayRoute } from "./routes/gateway.ts";

/**
 * The fields of the queries of routes that the gateway answers itself. The routes name them too, because the SDK, which
 * loads no package, reads the routes.
 */
export const OWN_QUERIES: Partial<Record<GatewayRoute["name"], z.ZodObject>> = {
  events: z.strictObject({ payloads }),
  workspaceEvents: z.strictObject({
    only: several(z.enum(WORKSPACE_EVENT_NAMES)).optional().meta({ description: "Only these events." }),
  }),
};
