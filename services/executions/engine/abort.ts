import { setMaxListeners } from "node:events";

/** An AbortController that is made when somebody looks at its signal: most steps end before anybody does. */
export class Abort {
  private controller: AbortController | undefined;
  private aborted = false;

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      // A step may call out many times with one signal.
      setMaxListeners(0, this.controller.signal);
      if (this.aborted) this.controller.abort();
    }
    return this.controller.signal;
  }

  abort(): void {
    this.aborted = true;
    this.controller?.abort();
  }
}
