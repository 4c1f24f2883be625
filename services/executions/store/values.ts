import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { AppError, errorCode } from "../../../contracts/errors.ts";
import { type LargeRef, type LargeValue, largeIn, storedIn, withLarge } from "../../../core/run/references.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import { isTooLarge } from "../../../core/run/step-limits.ts";
import type { Files } from "../../../service-kit/files.ts";

/** The most bytes of large values, as JSON, that one reader gets at a time. */
const MAX_WHOLE_BYTES = 64 * 1_048_576;
/** Recently stored or read values, by id. The next step often reads the output of the previous one. */
const CACHE_BYTES = 32 * 1_048_576;
/** The maximum depth of values that contain references to other values. */
const MAX_LEVELS = 4;
const PIECE_BYTES = 256 * 1_024;

export interface Owner {
  id: string;
  workspaceId: string;
}

const ownerOf = ({ id }: Owner) => `execution:${id}`;

const tooLarge = (maxBytes: number) =>
  new AppError("payload_too_large", { detail: `The output is larger than ${maxBytes / 1_048_576} MiB.` });

function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** The values of runs that are too large for the journal. They are in the file store, and the runs hold them. */
export class Values {
  readonly files: Files;
  readonly #maxBytes: number;
  readonly #cache = new Map<string, { value: unknown; size: number }>();
  #cached = 0;
  /** References to values that this node stored for a run. The run already holds them. */
  readonly #own = new WeakMap<object, string>();

  constructor(files: Files, maxBytes: number) {
    this.files = files;
    this.#maxBytes = maxBytes;
  }

  /**
   * Stores a value that is too large for the journal and returns a reference to it. Returns other values unchanged.
   * @throws {AppError} payload_too_large beyond MAX_OUTPUT_BYTES, limit_reached, unavailable
   */
  keep(run: Owner, value: unknown): Promise<unknown> {
    return isTooLarge(value) ? this.store(run, value) : Promise.resolve(value);
  }

  /**
   * Stores a value of any size and returns a reference to it.
   * @throws {AppError} payload_too_large beyond MAX_OUTPUT_BYTES, limit_reached, unavailable
   */
  async store(run: Owner, value: unknown): Promise<LargeValue> {
    // References are resolved first, because only this run would hold a value inside of another one.
    const bytes = Buffer.from(JSON.stringify(await this.whole(run.workspaceId, value)));
    if (bytes.length > this.#maxBytes) throw tooLarge(this.#maxBytes);
    const { workspaceId } = run;
    const wanted = { workspaceId, owner: ownerOf(run), maxBytes: this.#maxBytes };
    const { $file } = await this.files.storeValue(Readable.from(pieces(bytes)), wanted);
    const { id, size, sha256 } = $file;
    this.#remember(workspaceId, { id, size, sha256 }, value);
    const kept: LargeValue = { $large: { id, size, sha256 } };
    this.#own.set(kept, run.id);
    return kept;
  }

  /**
   * Like `keep`, for a value that has a limit of its own. If there is no room for it in the file store, returns it
   * unchanged.
   */
  async keepIfRoom(run: Owner, value: unknown): Promise<unknown> {
    return this.keep(run, value).catch((error: unknown) => {
      const code = errorCode(error);
      if (code === "limit_reached" || code === "payload_too_large") return value;
      throw error;
    });
  }

  /**
   * The entries in the form that the journal stores. The outputs of steps are references already. Lists of item outputs
   * and joined outputs become references here.
   */
  async offload(run: Owner, entries: readonly StepEntry[]): Promise<StepEntry[]> {
    const offloaded: StepEntry[] = [];
    for (const entry of entries) {
      const { event, output, itemOutput } = entry;
      const made = event === "execution.completed" || (event === "step.completed" && Array.isArray(output));
      let kept = entry;
      if (made && isTooLarge(output)) kept = { ...kept, output: await this.keepIfRoom(run, output) };
      if (isTooLarge(itemOutput)) kept = { ...kept, itemOutput: await this.keepIfRoom(run, itemOutput) };
      offloaded.push(kept);
    }
    return offloaded;
  }

  /**
   * Holds everything that the entries name for as long as the run exists. `held` contains the ids that the run is known
   * to hold.
   */
  holdEntries(run: Owner, entries: readonly StepEntry[], input: unknown, held: Set<string>): Promise<void> {
    const named = [input];
    for (const { output, itemOutput, child, kept, formerRecords, items, passed, suspension } of entries)
      named.push(output, itemOutput, child?.input, kept, formerRecords, items, passed?.item, suspension);
    return this.hold(run, named, held);
  }

  /**
   * The value with its large values resolved. References to missing values stay as they are.
   * @throws {AppError} payload_too_large when they are together too large; unavailable
   */
  async whole(workspaceId: string, value: unknown): Promise<unknown> {
    let result = value;
    for (let level = 0; level < MAX_LEVELS; level++) {
      const refs = largeIn(result);
      if (refs.length === 0) return result;
      if (refs.reduce((sum, { size }) => sum + size, 0) > MAX_WHOLE_BYTES) throw tooLarge(MAX_WHOLE_BYTES);
      const loaded = new Map<string, unknown>();
      for (const ref of refs) {
        const found = await this.#load(workspaceId, ref);
        if (found) loaded.set(ref.id, found.value);
      }
      if (loaded.size === 0) return result;
      result = withLarge(result, loaded);
    }
    return result;
  }

  /** Like `whole`, for display: a value that is too large to show stays a reference. */
  async shown(workspaceId: string, value: unknown): Promise<unknown> {
    return this.whole(workspaceId, value).catch((error: unknown) => {
      if (errorCode(error) === "payload_too_large") return value;
      throw error;
    });
  }

  /** Holds the files and large values that these values name, for as long as the run exists. */
  async hold(run: Owner, values: readonly unknown[], held: Set<string>): Promise<void> {
    let found: Set<string> | undefined;
    for (const value of values) {
      if (typeof value !== "object" || value === null || this.#own.get(value) === run.id) continue;
      found = storedIn(value, found);
    }
    if (!found || found.size === 0) return;
    const fresh = [...found].filter(id => !held.has(id));
    if (fresh.length === 0) return;
    await this.files.hold(run.workspaceId, fresh, ownerOf(run));
    for (const id of fresh) held.add(id);
  }

  async #load(workspaceId: string, ref: LargeRef): Promise<{ value: unknown } | undefined> {
    const key = `${workspaceId}/${ref.id}`;
    const known = this.#cache.get(key);
    if (known) return known;
    try {
      const located = await this.files.locate(workspaceId, ref.id, "value");
      const bytes = await buffer(this.files.read(workspaceId, located) as AsyncIterable<Buffer>);
      const value = JSON.parse(bytes.toString()) as unknown;
      this.#remember(workspaceId, { ...ref, size: bytes.length }, value);
      return { value };
    } catch (error) {
      if (errorCode(error) === "not_found") return undefined;
      throw error;
    }
  }

  #remember(workspaceId: string, { id, size }: LargeRef, value: unknown): void {
    const key = `${workspaceId}/${id}`;
    if (size > CACHE_BYTES / 2 || this.#cache.has(key)) return;
    this.#cache.set(key, { value, size });
    this.#cached += size;
    for (const [oldest, entry] of this.#cache) {
      if (this.#cached <= CACHE_BYTES) return;
      this.#cache.delete(oldest);
      this.#cached -= entry.size;
    }
  }
}
