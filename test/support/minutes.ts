import { type Api, newWorkflow } from "./api.ts";
import { definition, node } from "./definition.ts";
import type { Ledger } from "./ledger.ts";
import type { Nodes } from "./nodes.ts";

const MINUTE_MS = 60_000;
const floor = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
/** The clocks are set to this time after the beginning of a minute. */
const INTO_MS = 200;
/** The lock of a killed scheduler keeps the others waiting for six seconds of their clock. */
const LAPSE_MS = 7_000;

interface Tick {
  schedule: string;
  dueAt: string;
}

/** Schedules for every minute, on nodes whose clocks a test moves from minute to minute. */
export class Minutes {
  private readonly nodes: Nodes;
  private readonly ledger: Ledger;
  private readonly ids: string[];
  private aheadMs = 0;
  /** The last awaited minute. */
  private last = floor(Date.now());

  private constructor(nodes: Nodes, ledger: Ledger, ids: string[]) {
    this.nodes = nodes;
    this.ledger = ledger;
    this.ids = ids;
  }

  /** Each run of a schedule calls the ledger at `/tick`. */
  static async open(where: { nodes: Nodes; ledger: Ledger; api: Api; space: string }, count: number): Promise<Minutes> {
    const { nodes, ledger, api, space } = where;
    const body = { schedule: "{{ trigger.id }}", dueAt: "{{ trigger.dueAt }}" };
    const tick = node("tick", "http", { method: "POST", url: `${ledger.url}/tick`, body });
    const workflowId = await newWorkflow(api, space, definition([tick]));
    const made = Array.from({ length: count }, () =>
      api.post(`${space}/schedules`, { workflowId, cronExpr: "* * * * *" }),
    );
    const ids = (await Promise.all(made)).map(answer => String(answer.body?.id));
    return new Minutes(nodes, ledger, ids);
  }

  /** Sets the clocks to the beginning of the next minute, and returns it. */
  async next(): Promise<string> {
    const current = floor(Date.now() + this.aheadMs);
    // A minute that passed in real time is awaited first, because schedulers catch up only on the later of two missed
    // minutes.
    if (current > this.last) await this.ran(new Date(current).toISOString());
    const shown = Date.now() + this.aheadMs;
    const minute = (this.last = floor(shown) + MINUTE_MS);
    this.aheadMs += minute + INTO_MS - shown;
    await this.nodes.setClock(this.aheadMs);
    return new Date(minute).toISOString();
  }

  /** Moves the clocks on within the minute until the lock of a killed scheduler has expired. */
  async lapse(): Promise<void> {
    this.aheadMs += LAPSE_MS;
    await this.nodes.setClock(this.aheadMs);
  }

  /** Waits until this many schedules, or all, have run for this minute. */
  ran(minute: string, schedules = this.ids.length): Promise<void> {
    return this.ledger.until(() => this.of(minute).size >= schedules, `the runs of ${minute}`);
  }

  /**
   * What is wrong: a minute of a schedule with more than one run, or a missing minute between its first and its last.
   */
  violations(): string[] {
    const wrong: string[] = [];
    for (const id of this.ids) {
      const runs = new Map<string, Set<string>>();
      for (const { key, tick } of this.ticks()) {
        if (tick.schedule === id) runs.set(tick.dueAt, (runs.get(tick.dueAt) ?? new Set()).add(key));
      }
      const dues = [...runs.keys()].sort();
      for (const [due, keys] of runs) if (keys.size > 1) wrong.push(`schedule ${id} ran ${keys.size} times for ${due}`);
      dues.slice(1).forEach((due, i) => {
        const missed = (Date.parse(due) - Date.parse(dues[i] ?? due)) / MINUTE_MS - 1;
        if (missed > 0) wrong.push(`schedule ${id} left out ${missed} minutes before ${due}`);
      });
      if (dues.length === 0) wrong.push(`schedule ${id} never ran`);
    }
    return wrong;
  }

  private ticks(): { key: string; tick: Tick }[] {
    return this.ledger.calls
      .filter(({ path }) => path === "/tick")
      .map(({ key, body }) => ({ key, tick: body as Tick }));
  }

  private of(minute: string): Set<string> {
    const there = this.ticks().filter(({ tick }) => tick.dueAt === minute);
    return new Set(there.map(({ tick }) => tick.schedule));
  }
}
