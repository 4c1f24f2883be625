import { readFileSync } from "node:fs";

const FILE = new URL("../package.json", import.meta.url);

/**
 * The version of this program. The command line runs in any folder, so the path of the file is relative to this module.
 */
export const VERSION = (JSON.parse(readFileSync(FILE, "utf8")) as { version: string }).version;
