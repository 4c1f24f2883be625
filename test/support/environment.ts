import { rmSync } from "node:fs";
import { enableCompileCache } from "node:module";
import type { Socket } from "node:net";
import vm from "node:vm";
import { TestEnvironment } from "jest-environment-node";
import type { Browser } from "playwright-core";
import { COMPILE_CACHE, type Server, startServer } from "./server.ts";
import type { Shared } from "./shared.ts";

// The processes that suites start without a server share the cache as well.
enableCompileCache(COMPILE_CACHE.NODE_COMPILE_CACHE);

let server: Promise<Server> | undefined;
let browser: Promise<Browser> | undefined;

const isOver = ({ process: { exitCode, signalCode } }: Server) => exitCode !== null || signalCode !== null;

/** Lives as long as this worker, which does not wait for it. */
async function startShared(): Promise<Server> {
  const started = await startServer();
  const { process: child, dataDir } = started;
  child.unref();
  for (const output of [child.stdout, child.stderr]) (output as Socket | null)?.unref();
  // As Jest ends a worker that a suite keeps from ending.
  process.once("SIGTERM", () => process.exit(143));
  process.once("exit", () => {
    child.kill("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  });
  return started;
}

/** Lives as long as this worker. Playwright ends it with the process, at the latest. */
async function startBrowser(): Promise<Browser> {
  const { launchChromium } = await import("../browser/support/chromium.ts");
  const started = await launchChromium();
  // A worker of Jest that is to end stops listening, and then has half a second until Jest complains.
  process.on("removeListener", event => void (event === "message" && started.close()));
  return started;
}

const shared: Shared = {
  async server() {
    if (server && isOver(await server)) server = undefined;
    server ??= startShared();
    // What fails here fails for each suite by itself.
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

/** A suite's world. What is shared lies outside of it, in the worker that runs one suite after the other. */
export default class Environment extends TestEnvironment {
  /**
   * Gives the suite plain global objects. Node looks up each use of those of its usual contexts, `Object` and `Math` too,
   * by a function in C++: code that computes takes up to twice as long there.
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
