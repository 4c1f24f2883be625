import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Api } from "./api.ts";
import { read, type Started } from "./executions.ts";
import { readLog } from "./follow.ts";
import { historyFaults } from "./history-faults.ts";
import { HANG_MS } from "./hang.ts";
import type { Ledger } from "./ledger.ts";

const AGAIN_MS = 20;
/** The number of concurrent readers in the final check. */
const READERS = 8;

/** An acknowledged run. Times are in milliseconds of `performance.now()`. */
export interface LoadedRun extends Started {
  caller: number;
  startedAt: number;
  /** When its awaited step was called. */
  doneAt?: number;
}

export interface LoadOptions {
  api: Api;
  space: string;
  workflowId: string;
  ledger: Ledger;
  /** A caller waits for the call of this step before it starts the next run. */
  lastStep: string;
  callers: number;
  /** The current gateways. */
  urls: () => string[];
}

/** Callers that start runs through all gateways, each one after another, and the results of these runs. */
export class Load {
  readonly runs: LoadedRun[] = [];
  /** Responses with an error. */
  readonly refused: { status: number; code: string; retryAfter: string | null }[] = [];
  /** Requests without a response, because their gateway was gone. */
  broken = 0;
  /** The duration of the slowest request, in milliseconds. */
  slowestMs = 0;
  private readonly options: LoadOptions;
  private readonly wrong: string[] = [];
  /** The number of calls that a step had made when the log showed its end. It must not make more. */
  private readonly settled = new Map<string, number>();
  private readonly callers: Promise<void>[];
  private over = false;

  constructor(options: LoadOptions) {
    this.options = options;
    this.callers = Array.from({ length: options.callers }, (_, caller) => this.call(caller));
  }

  /** Records the steps that have ended according to the log, so that `historyFaults` finds steps that run again. */
  async noteSettled(): Promise<void> {
    const { api, ledger, callers, urls } = this.options;
    const via = api.at(urls()[0] ?? "");
    await this.each(this.runs.slice(-3 * callers), async ({ id, path }) => {
      const log = await readLog(via, path).catch(() => []);
      const done = Array.isArray(log) ? log.filter(({ event }) => event === "step.completed") : [];
      for (const { nodeId } of done) {
        const key = `${id}:${nodeId}`;
        if (!this.settled.has(key)) this.settled.set(key, ledger.count(key));
      }
    });
  }

  async stop(): Promise<void> {
    this.over = true;
    await Promise.all(this.callers);
  }

  /**
   * What is wrong once nothing runs any more: acknowledged work was lost or done twice, or a request hung or failed
   * with another status than 503.
   */
  async violations(): Promise<string[]> {
    const { api, ledger, urls } = this.options;
    const via = api.at(urls()[0] ?? "");
    const wrong = [...this.wrong];
    await this.each(this.runs, async ({ id, path }) => {
      const { status } = await read(via, path);
      if (status !== "completed") wrong.push(`${id} is ${status}`);
      wrong.push(...(await historyFaults(via, path, ledger)));
    });
    for (const [key, calls] of this.settled) if (ledger.count(key) !== calls) wrong.push(`${key} was called again`);
    for (const { status, code, retryAfter } of this.refused) {
      if (status === 503 && code === "unavailable" && Number(retryAfter) > 0) continue;
      wrong.push(`A start was answered ${status} ${code}, Retry-After ${retryAfter}`);
    }
    return wrong;
  }

  get settledSteps(): number {
    return this.settled.size;
  }

  private async each<T>(all: readonly T[], look: (one: T) => Promise<void>): Promise<void> {
    const rest = all.values();
    const reader = async () => {
      for (const one of rest) await look(one);
    };
    await Promise.all(Array.from({ length: READERS }, reader));
  }

  private async call(caller: number): Promise<void> {
    const { api, space, workflowId, ledger, lastStep, urls } = this.options;
    for (let turn = caller; !this.over;) {
      const all = urls();
      const asked = performance.now();
      const answer = await this.ask(() =>
        api.at(all[turn % all.length] ?? "").post(`${space}/executions`, { workflowId }),
      );
      this.slowestMs = Math.max(this.slowestMs, performance.now() - asked);
      if (answer?.status !== 201) {
        // Another gateway may respond.
        turn++;
        await sleep(AGAIN_MS);
        continue;
      }
      const id = answer.body.id as string;
      const run: LoadedRun = { id, path: `${space}/executions/${id}`, caller, startedAt: performance.now() };
      this.runs.push(run);
      const called = ledger.called(`${id}:${lastStep}`);
      await called.then(
        () => (run.doneAt = performance.now()),
        (error: unknown) => this.wrong.push(String(error)),
      );
    }
  }

  private async ask(post: () => Promise<Answer>): Promise<Answer | undefined> {
    const hang = sleep(HANG_MS, "hang" as const, { ref: false });
    try {
      const answer = await Promise.race([post(), hang]);
      if (answer === "hang") {
        this.wrong.push(`A start got no answer in ${HANG_MS} ms`);
        return undefined;
      }
      const { status, body, headers } = answer;
      if (status !== 201) this.refused.push({ status, code: body?.code, retryAfter: headers.get("retry-after") });
      return answer;
    } catch {
      this.broken++;
      return undefined;
    }
  }
}
