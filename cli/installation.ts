import type { KeyName } from "../adapters/transfer/keys.ts";
import type { Invocation, Options } from "./command.ts";

/** The settings of an installation's store, and the keys in its environment. */
export interface Installation {
  dataDir: string;
  mongodbUri: string | undefined;
  filesUrl: string | undefined;
  given: Partial<Record<KeyName, string>>;
}

export const DATA_DIR_OPTION: Options = {
  "data-dir": { type: "string", value: "folder", help: "the data folder; default: DATA_DIR" },
};

/**
 * The installation in the environment or the file .env. It does not use Weft's own configuration, because reading that
 * creates missing keys, and these commands must not write to the folder.
 */
export async function installation(options: Invocation): Promise<Installation> {
  await import("../config/env-file.ts");
  const set = (name: string) => process.env[name]?.trim() || undefined;
  const [JWT_SECRET, SECRETS_KEY] = [set("JWT_SECRET"), set("SECRETS_KEY")];
  return {
    dataDir: options.text("data-dir") ?? set("DATA_DIR") ?? "./data",
    mongodbUri: set("MONGODB_URI"),
    filesUrl: set("FILES_URL"),
    given: { ...(JWT_SECRET && { JWT_SECRET }), ...(SECRETS_KEY && { SECRETS_KEY }) },
  };
}
