import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "./api.ts";

/** Short enough to notice when the service is busy, and long enough to leave it the processor. */
const PAUSE_MS = 50;

/** A user who keeps using the service while others misuse it. */
export class Prober {
  /** The status of every response. */
  readonly answers: number[] = [];
  private readonly api: Api;
  private running = true;
  private readonly done: Promise<void>;

  constructor(api: Api) {
    this.api = api;
    this.done = this.probe();
  }

  private async probe(): Promise<void> {
    while (this.running) {
      this.answers.push(
        await this.api.get("/v1/auth/me").then(
          ({ status }) => status,
          () => 0,
        ),
      );
      await sleep(PAUSE_MS);
    }
  }

  async stop(): Promise<number[]> {
    this.running = false;
    await this.done;
    return this.answers;
  }
}
