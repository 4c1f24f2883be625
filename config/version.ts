import { readFileSync } from "node:fs";

/** The version of this program, which starts in the root of the project like everything in it. */
export const VERSION = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
