import { type Config, config } from "../config.ts";

/** The address of this service from outside, without a slash at the end: `PUBLIC_URL`, else this machine. */
export const publicUrl = ({ PUBLIC_URL, PORT }: Pick<Config, "PUBLIC_URL" | "PORT"> = config()): string =>
  (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, "");
