#!/usr/bin/env node
// Runs the sources with a Node that supports them: the one in PATH, or else the one in the project's packages.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import process from "node:process";
import { fileURLToPath, URL } from "node:url";

const args = process.argv.slice(2);
const at = path => fileURLToPath(new URL(path, import.meta.url));

if (process.features.typescript) {
  // The cache is shared with `npm start`. If the folder is not writable, Node compiles each time.
  module.enableCompileCache(at("../node_modules/.cache/compiled"));
  const { main } = await import("./main.ts");
  // A reader such as `head` may close the pipe early. That is not an error.
  process.stdout.on("error", ({ code }) => process.exit(code === "EPIPE" ? 0 : 1));
  process.exitCode = await main(args, JSON.parse(readFileSync(at("../package.json"), "utf8")).version);
} else {
  const child = spawn(at("../node_modules/.bin/node"), [at("weft.js"), ...args], { stdio: "inherit" });
  // A terminal sends signals to both processes, so this process leaves them to the child.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", () => {
    process.stderr.write("weft: There is no Node that runs TypeScript. Run npm ci first.\n");
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => (process.exitCode = signal ? 128 + constants.signals[signal] : code));
}
