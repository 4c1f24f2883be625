import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";

/** The shell has no window, so each page takes half of the processor time that it takes in a whole Chromium. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The system's Chromium; undefined where it is not installed. */
const chromiumPath = (): string | undefined => [process.env.CHROMIUM, ...PLACES].find(path => path && existsSync(path));

/**
 * Starts a Chromium. `hosts` are names of hosts with the addresses that they stand for in it.
 *
 * @throws {Error} when Chromium is not installed
 */
export async function launchChromium(hosts: Record<string, string> = {}): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error("Chromium is missing: apt-get install chromium-headless-shell");
  // Not imported above: a suite that uses the shared browser does without these seven megabytes of code.
  const { chromium } = await import("playwright-core");
  // Root has no sandbox in containers. The pages are our own.
  const rules = Object.entries(hosts).map(([name, to]) => `MAP ${name} ${to}`);
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join()}`] : []),
  ];
  return chromium.launch({ executablePath, args });
}
