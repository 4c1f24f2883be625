/**
 * The service cannot start with a setting. The message is one line, suited to be the last one that an operator reads.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
