/** A setting that the service cannot start with. The message is one line, fit to be the last that an operator reads. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
