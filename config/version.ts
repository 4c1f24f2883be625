import { readFileSync } from "node:fs";

/** Of this program. It is started from the root of the project, as everything in it is. */
export const VERSION = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
