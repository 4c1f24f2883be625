import { type Config, config } from "../config.ts";

/** The public address of this service, without a trailing slash: `PUBLIC_URL`, or else this machine. */
export const publicUrl = ({ PUBLIC_URL, PORT }: Pick<Config, "PUBLIC_URL" | "PORT"> = config()): string =>
  (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, "");
