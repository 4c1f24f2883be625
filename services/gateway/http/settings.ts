import type { Config } from "../../../config.ts";

/** The part of the configuration that the gateway reads. */
export type GatewayConfig = Pick<
  Config,
  | "HOST"
  | "PORT"
  | "PUBLIC_URL"
  | "MAX_BODY_BYTES"
  | "MAX_UPLOAD_BYTES"
  | "MAX_FILE_BYTES"
  | "CORS_ORIGINS"
  | "TRUST_PROXY"
  | "RATE_LIMIT_RPS"
  | "RATE_LIMIT_BURST"
  | "RATE_LIMIT_AUTH_PER_MINUTE"
  | "SSE_MAX_MS"
  | "LOG_REQUESTS"
  | "CONSOLE"
>;
