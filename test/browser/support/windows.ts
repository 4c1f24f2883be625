import type { Browser, BrowserContext, Page } from "playwright-core";

type WindowOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** What these change stays until a window is closed, so it is closed. */
const LASTING = ["grantPermissions", "newCDPSession", "setExtraHTTPHeaders", "setGeolocation", "setOffline"];
/** These give an object that takes the change back. */
const DISPOSED = ["addInitScript", "exposeBinding", "exposeFunction", "route", "routeWebSocket"];

/** So many windows wait in a worker, each with the memory of a page. */
const MOST_IDLE = 3;

type Target = BrowserContext | Page;
type Method = (...given: unknown[]) => unknown;
type Listen = (event: string, listener: Method) => unknown;

/** What a scenario has done to a window, so that it can be undone. */
class Use {
  /** True after a change that stays. */
  isSpent = false;
  /** Origins of the documents that the window has shown, which may have stored data. */
  readonly origins = new Set<string>();
  readonly #undo: (() => unknown)[] = [];

  constructor(context: BrowserContext, page: Page) {
    for (const target of [context, page]) {
      this.#note(target);
      target.on("request", request => {
        if (request.isNavigationRequest()) this.origins.add(new URL(request.url()).origin);
      });
    }
    page.once("crash", () => (this.isSpent = true));
  }

  #note(target: Target): void {
    const own = target as unknown as Record<string, Method | undefined>;
    const replace = (name: string, around: (before: Method) => Method) => {
      const before = own[name];
      if (!before) return;
      own[name] = around(before.bind(target));
      this.#undo.push(() => delete own[name]);
    };
    for (const name of LASTING)
      replace(name, before => (...given) => {
        this.isSpent = true;
        return before(...given);
      });
    for (const name of DISPOSED)
      replace(name, before => async (...given) => {
        const disposable = (await before(...given)) as AsyncDisposable;
        this.#undo.push(() => disposable[Symbol.asyncDispose]());
        return disposable;
      });
    for (const name of ["on", "once"])
      replace(name, before => (event, listener) => {
        this.#undo.push(() => (target.off as Listen)(event as string, listener as Method));
        return before(event, listener);
      });
  }

  async undo(): Promise<void> {
    for (const step of this.#undo.splice(0)) await step();
  }
}

/**
 * Takes away what pages have stored, and what the browser remembers of them. Its cache stays: assets never change, and
 * the browser asks again for everything else.
 */
async function forget(context: BrowserContext, page: Page, origins: ReadonlySet<string>): Promise<void> {
  const client = await context.newCDPSession(page);
  await page.evaluate("sessionStorage.clear(); window.name = ''");
  for (const origin of origins) {
    if (origin.startsWith("http")) await client.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  }
  await client.send("Page.resetNavigationHistory");
  await client.detach();
  await context.clearCookies();
}

interface Window {
  /** Windows with equal options can stand for each other. */
  key: string;
  options: WindowOptions;
  context: BrowserContext;
  page: Page;
}

/**
 * Leaves one page, without data, history or settings of the scenario.
 *
 * @throws {Error} when the page is closed, or its server does not answer
 */
async function clear({ context, page, options }: Window, origins: ReadonlySet<string>): Promise<void> {
  const others = context.pages().filter(one => one !== page);
  await Promise.all(others.map(one => one.close()));
  // A document of the same origin keeps the process, which an empty page would not.
  await page.goto(new URL("/health/live", page.url()).href);
  await page.mouse.move(-1, -1);
  if (options.viewport) await page.setViewportSize(options.viewport);
  const { colorScheme = "light", reducedMotion = "no-preference", forcedColors = "none" } = options;
  await page.emulateMedia({ colorScheme, reducedMotion, forcedColors });
  await forget(context, page, origins);
}

/** Undoes what a scenario has done. False where this is not possible, so that the window is of no more use. */
async function cleared(window: Window, use: Use): Promise<boolean> {
  try {
    await use.undo();
    if (!use.isSpent) await clear(window, use.origins);
    return !use.isSpent;
  } catch {
    return false;
  }
}

/**
 * A browser for suites that run one after the other. A window that a scenario closes is cleared, and opens again for a
 * later scenario: its process has compiled the code of the page already, which is half of what a first load costs.
 * `close` closes the windows that are open, as those of failed scenarios, and leaves the browser to the next suite.
 */
export function withReusedWindows(browser: Browser): Browser {
  const open = new Map<BrowserContext, () => Promise<void>>();
  const idle: Window[] = [];
  const lend = (window: Window): BrowserContext => {
    const { context, page } = window;
    const use = new Use(context, page);
    const close = context.close.bind(context);
    const leave = async () => {
      context.close = close;
      open.delete(context);
      const isClear = await cleared(window, use);
      if (isClear) idle.push(window);
      else await close();
      if (idle.length > MOST_IDLE) await idle.shift()!.context.close();
    };
    open.set(context, close);
    return Object.assign(context, { close: leave });
  };
  return Object.assign(Object.create(browser) as Browser, {
    async newContext(options: WindowOptions = {}) {
      const key = JSON.stringify(options);
      const at = idle.findLastIndex(one => one.key === key);
      if (at >= 0) return lend(idle.splice(at, 1)[0]!);
      const context = await browser.newContext(options);
      return lend({ key, options, context, page: await context.newPage() });
    },
    async close() {
      const left = [...open.values()];
      open.clear();
      await Promise.all(left.map(close => close()));
    },
  });
}
