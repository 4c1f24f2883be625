import { setMaxListeners } from "node:events";

/** An AbortController that is created when its signal is first read. Most steps end without reading it. */
export class Abort {
  private controller: AbortController | undefined;
  private aborted = false;

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      // One signal may serve many calls of a step, so the number of its listeners is not limited.
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
