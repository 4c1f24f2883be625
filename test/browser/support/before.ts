import { execFileSync } from "node:child_process";
import newTemporaryFolder from "../../support/before.ts";

/** Once, before the first suite: the page that they open is that of the sources. */
export default function before(): void {
  newTemporaryFolder();
  execFileSync("node", ["scripts/build-console.ts"], { stdio: "inherit" });
}
