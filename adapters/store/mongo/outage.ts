import type { MongoClient, TopologyDescription } from "mongodb";
import { StoreUnavailableError } from "../errors.ts";

/** The types of servers that accept writes. */
const WRITABLE = new Set<string>(["RSPrimary", "Standalone", "Mongos", "LoadBalancer"]);

const isWritable = ({ type, servers }: TopologyDescription): boolean =>
  [...servers.values()].some(server => (type === "Single" ? server.type !== "Unknown" : WRITABLE.has(server.type)));

/**
 * Knows how long MongoDB has had no server that accepts writes. The driver waits in each operation for such a server. A
 * request that makes several operations would add up these waits, so an operation waits only in the first part of an
 * outage: until one wait of the driver has passed since it began.
 */
export class Outage {
  readonly #client: MongoClient;
  readonly #waitMs: number;
  readonly #now: () => number;
  #since: number | null = null;
  #looking = false;

  constructor(client: MongoClient, now = () => performance.now()) {
    this.#client = client;
    this.#waitMs = client.options.serverSelectionTimeoutMS;
    this.#now = now;
    client.on("topologyDescriptionChanged", ({ newDescription }) => {
      if (isWritable(newDescription)) this.#since = null;
      else this.#since ??= this.#now();
    });
  }

  /** @throws {StoreUnavailableError} when the outage has lasted for longer than the driver waits. */
  check(): void {
    if (this.#since === null || this.#now() - this.#since < this.#waitMs) return;
    this.#look();
    throw new StoreUnavailableError("cannot reach MongoDB: it has no server that accepts writes");
  }

  /** Makes the driver look for a server more often. It does so only while an operation waits for one. */
  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    const over = () => void (this.#looking = false);
    this.#client.db().command({ hello: 1 }, { timeoutMS: this.#waitMs }).then(over, over);
  }
}
