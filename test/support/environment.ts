import { enableCompileCache } from "node:module";
import type { Socket } from "node:net";
import vm from "node:vm";
import { TestEnvironment } from "jest-environment-node";
import type { Browser } from "playwright-core";
import { COMPILE_CACHE, type Server, startServer } from "./server.ts";
import type { Shared } from "./shared.ts";

// Processes that suites start without a server share the cache as well.
enableCompileCache(COMPILE_CACHE.NODE_COMPILE_CACHE);

let server: Promise<Server> | undefined;
let browser: Promise<Browser> | undefined;

const isOver = ({ process: { exitCode, signalCode } }: Server) => exitCode !== null || signalCode !== null;

/** It lives as long as this worker, which does not wait for it. */
async function startShared(): Promise<Server> {
  const started = await startServer();
  const { process: child } = started;
  child.unref();
  for (const output of [child.stdout, child.stderr]) (output as Socket | null)?.unref();
  // Jest sends SIGTERM to a worker that a suite keeps running.
  process.once("SIGTERM", () => process.exit(143));
  // In a run without workers, before the folder of the run is removed: see before.ts.
  process.prependOnceListener("exit", () => void child.kill("SIGKILL"));
  return started;
}

/** It lives as long as this worker. Playwright ends it at the latest together with the process. */
async function startBrowser(): Promise<Browser> {
  const { launchChromium } = await import("../browser/support/chromium.ts");
  const { withReusedWindows } = await import("../browser/support/windows.ts");
  const started = await launchChromium();
  // A Jest worker that is about to end stops listening.
  process.on("removeListener", event => void (event === "message" && started.close()));
  return withReusedWindows(started);
}

const shared: Shared = {
  async server() {
    if (server && isOver(await server)) server = undefined;
    server ??= startShared();
    // After a failure here, each suite tries again by itself.
    server.catch(() => (server = undefined));
    return server;
  },
  async browser() {
    if (browser && !(await browser).isConnected()) browser = undefined;
    browser ??= startBrowser();
    browser.catch(() => (browser = undefined));
    return browser;
  },
  async undescribed(...given) {
    const { undescribed } = await import("./described.ts");
    return undescribed(...given);
  },
};

/**
 * The global environment of a suite. Shared objects are outside of it, in the worker that runs one suite after the
 * other.
 */
export default class Environment extends TestEnvironment {
  /**
   * Gives the suite plain global objects. In its usual contexts, Node looks up each use of a global, including `Object`
   * and `Math`, with a function in C++, so computations take up to twice as long.
   */
  constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
  }

  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, { shared: () => shared });
  }
}
