import type { Browser, BrowserContext, Page } from "playwright-core";
import { hasShared, sharedBrowser } from "../../support/shared.ts";
import { launchChromium } from "./chromium.ts";

/**
 * Opens the browser. `hosts` are names of hosts with the addresses that they stand for in it. A suite without them gets
 * the browser that the suites of its worker share; benchmarks and scripts start one.
 */
export function openBrowser(hosts?: Record<string, string>): Promise<Browser> {
  return hosts || !hasShared() ? launchChromium(hosts) : sharedBrowser();
}

/** What a page must never do, noted as it happens. */
export class Guard {
  readonly faults: string[] = [];
  readonly #origin: string;
  /** Faults that a test provokes. */
  #allowed: RegExp | undefined;

  constructor(origin: string) {
    this.#origin = origin;
  }

  allow(pattern: RegExp): void {
    this.#allowed = pattern;
  }

  note(fault: string): void {
    if (!this.#allowed?.test(fault)) this.faults.push(fault);
  }

  /** Watches a page: errors on its console, uncaught errors, reports of its policy, and requests to other hosts. */
  watch(page: Page): void {
    page.on("console", message => {
      if (message.type() === "error" || /Content.Security.Policy/i.test(message.text())) {
        this.note(`console: ${message.text()} ${message.location().url}`);
      }
    });
    page.on("pageerror", error => this.note(`uncaught: ${error.message}`));
    page.on("request", request => {
      const url = request.url();
      const isOwn = url.startsWith(`${this.#origin}/`) || /^(data|blob):/.test(url);
      if (!isOwn) this.note(`a request to ${url}`);
    });
  }
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  guard: Guard;
  /** Waits until all that pages have asked for has been answered. Event streams stay open, so they do not count. */
  quiet: () => Promise<void>;
}

const QUIET_MS = 300;
const LOOK_MS = 50;

/** Follows the requests of a window, to know when none is under way. */
function watchRequests(context: BrowserContext): Visit["quiet"] {
  const open = new Set<object>();
  let busyAt = Date.now();
  const isStream = (url: string) => /\/(events|stream)(\?|$)/.test(url);
  context.on("request", request => void (isStream(request.url()) || open.add(request)));
  const ended = (request: object) => {
    open.delete(request);
    busyAt = Date.now();
  };
  context.on("requestfinished", ended);
  context.on("requestfailed", ended);
  return async () => {
    while (open.size > 0 || Date.now() - busyAt < QUIET_MS) await new Promise(done => setTimeout(done, LOOK_MS));
  };
}

/** A browser window of its own, with its own cookies. */
export async function visit(
  browser: Browser,
  origin: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", ...options });
  context.setDefaultTimeout(15_000);
  await context.addInitScript(() => {
    // This runs in the page, whose globals the tests do not have.
    const page = globalThis as unknown as { addEventListener: (name: string, listen: (event: object) => void) => void };
    page.addEventListener("securitypolicyviolation", event => {
      const { violatedDirective, blockedURI } = event as { violatedDirective: string; blockedURI: string };
      // eslint-disable-next-line no-console
      console.error(`Content-Security-Policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  const guard = new Guard(origin);
  context.on("page", page => guard.watch(page));
  const quiet = watchRequests(context);
  const [given] = context.pages();
  if (given) guard.watch(given);
  return { context, page: given ?? (await context.newPage()), guard, quiet };
}
