import { execFileSync } from "node:child_process";

/** Once, before the first suite: the page that they open is that of the sources. */
export default function before(): void {
  execFileSync("node", ["scripts/build-console.ts"], { stdio: "inherit" });
}
