import { Gate, GateFullError } from "../adapters/processes/gate.ts";
import { AppError } from "../contracts/errors.ts";

const MAX_WAITING = 2_000;
/**
 * Callers give up after 10 seconds. A call that has waited this long is refused, because its response might come too
 * late.
 */
const MAX_WAIT_MS = 5_000;

/**
 * Limits how much work runs at the same time. The rest waits in order. The next work begins in a later turn of the
 * event loop. A store that reads synchronously would otherwise process the whole queue in one turn and block everything
 * else.
 */
export class ConcurrencyLimit {
  readonly #gate: Gate;

  constructor(max: number) {
    this.#gate = new Gate({ atOnce: max, waiting: MAX_WAITING, perGroup: MAX_WAITING, ended: setImmediate });
  }

  /**
   * Runs the work when its turn comes, and passes its errors on.
   * @throws {AppError} unavailable when too much work waits already, or the turn comes too late
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const inTime = () => {
      if (performance.now() - since > MAX_WAIT_MS) throw new AppError("unavailable");
      return work();
    };
    try {
      return await this.#gate.run("", inTime);
    } catch (error) {
      throw error instanceof GateFullError ? new AppError("unavailable") : error;
    }
  }
}
