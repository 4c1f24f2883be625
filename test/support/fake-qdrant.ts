import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

interface Sparse {
  indices: number[];
  values: number[];
}
type Vectors = Record<string, number[] | Sparse>;
type Payload = Record<string, unknown>;
interface Point {
  id: string;
  payload: Payload;
  vector: Vectors;
}
interface Condition extends Filter {
  has_id?: string[];
  key: string;
  match?: { value?: unknown; any?: unknown[] };
}
interface Filter {
  must?: Condition[];
  must_not?: Condition[];
  should?: Condition[];
  min_should?: { conditions: Condition[]; min_count: number };
}
interface Shown {
  with_payload?: boolean | string[];
  with_vector?: boolean | string[];
}
interface Selection {
  points?: string[];
  filter?: Filter;
}
interface Query extends Shown {
  query: number[] | Sparse;
  using: string;
  filter: Filter;
  limit: number;
  params?: { exact?: boolean };
}
interface Operation {
  upsert?: { points: Point[] };
  set_payload?: Selection & { payload: Payload };
  update_vectors?: { points: { id: string; vector: Vectors }[] };
}
interface AliasAction {
  delete_alias?: { alias_name: string };
  create_alias?: { alias_name: string; collection_name: string };
  rename_alias?: { old_alias_name: string; new_alias_name: string };
}
interface Collection {
  config: {
    vectors: Record<string, { size: number; distance: string }>;
    sparse_vectors: Record<string, { modifier?: string }>;
  };
  indexes: Map<string, unknown>;
  points: Map<string, Point>;
}
/** The body of any request. Which fields exist depends on the path. */
type Body = Selection &
  Query &
  Collection["config"] & {
    ids: string[];
    offset?: string;
    operations: Operation[];
    searches: Query[];
    actions: AliasAction[];
    field_name: string;
    field_schema: unknown;
    key: string;
  };

/**
 * `closing` ends a connection without a response when a second request arrives on it. `full` has no space left, and
 * refuses every change.
 */
export type Behaviour = "well" | "full" | "unavailable" | "busy" | "hang" | "half" | "closing";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const dot = (a: number[], b: number[]): number => a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
const cosine = (a: number[], b: number[]): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/**
 * A fake Qdrant server in memory, with the functions that the index needs and exact results. It refuses whatever a real
 * server would refuse.
 */
export class FakeQdrant {
  behaviour: Behaviour = "well";
  readonly requests: { method: string; path: string; body: Body; apiKey: string | undefined }[] = [];
  readonly collections = new Map<string, Collection>();
  readonly aliases = new Map<string, string>();
  /** Called with each write before it takes effect. */
  beforeWrite: (path: string) => void = () => undefined;
  readonly #served = new WeakSet<Socket>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async listen(port = 0): Promise<string> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this.address();
  }

  address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const [path = "", search] = (request.url ?? "").split("?");
    const body = (text ? JSON.parse(text) : null) as Body;
    const method = request.method ?? "";
    this.requests.push({ method, path, body, apiKey: request.headers["api-key"] as string | undefined });
    if (this.behaviour === "hang") return;
    const again = this.#served.has(request.socket);
    this.#served.add(request.socket);
    if (this.behaviour === "closing" && again) return void request.socket.destroy();
    response.setHeader("content-type", "application/json");
    if (this.behaviour === "unavailable") response.writeHead(503).end(`{"status":{"error":"away"}}`);
    else if (this.behaviour === "busy")
      response.writeHead(429, { "retry-after": "30" }).end(`{"status":{"error":"too many requests"}}`);
    else if (this.behaviour === "full" && isChange(method, path))
      response.writeHead(500).end(`{"status":{"error":"Service internal error: No space left on device"}}`);
    else if (path === "/") response.end(`{"title":"qdrant - vector search engine","version":"1.19.0","commit":"a"}`);
    else if (this.behaviour === "half") response.end(`{"result": {"points": [`);
    else {
      try {
        const wait = new URLSearchParams(search).get("wait") === "true";
        response.end(JSON.stringify({ result: this.#answer(method, path, body, wait), status: "ok", time: 0 }));
      } catch (error) {
        const status = error instanceof Refusal ? error.status : 400;
        response.writeHead(status).end(JSON.stringify({ status: { error: (error as Error).message }, time: 0 }));
      }
    }
  }

  #answer(method: string, path: string, body: Body, wait: boolean): unknown {
    const [, , name = "", ...rest] = path.split("/").map(decodeURIComponent);
    const what = `${method} ${rest.join("/")}`;
    if (path === "/collections") return { collections: [...this.collections.keys()].map(key => ({ name: key })) };
    if (path === "/aliases")
      return { aliases: [...this.aliases].map(([alias_name, collection_name]) => ({ alias_name, collection_name })) };
    if (path === "/collections/aliases") return this.#changeAliases(body.actions);
    if (what === "PUT ") {
      if (this.collections.has(name)) throw new Refusal(409, `Collection ${name} already exists!`);
      if (this.aliases.has(name)) throw new Refusal(400, "an alias has this name");
      checkConfig(body);
      this.collections.set(name, { config: body, indexes: new Map(), points: new Map() });
      return true;
    }
    if (what === "DELETE ") {
      for (const [alias, target] of this.aliases) if (target === name) this.aliases.delete(alias);
      return this.collections.delete(name);
    }
    const collection = this.collections.get(this.aliases.get(name) ?? name);
    if (!collection) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
    if (what === "GET ") return { status: "green", payload_schema: Object.fromEntries(collection.indexes) };
    if (what === "PUT index") {
      checkIndex(body);
      return collection.indexes.set(body.field_name, body.field_schema) && { status: "completed" };
    }
    // Without `wait`, the write would take effect at some time after the response, and the next read may not show it.
    if (WRITES.has(what) && !wait) throw new Refusal(400, "a write that nobody waits for");
    if (WRITES.has(what)) this.beforeWrite(path);
    if (what === "POST facet") return { hits: facet(collection, body) };
    return this.#points(what, collection, body);
  }

  #changeAliases(actions: AliasAction[]): boolean {
    for (const { delete_alias, create_alias, rename_alias } of actions) {
      if (rename_alias) this.#renameAlias(rename_alias);
      if (delete_alias) this.aliases.delete(delete_alias.alias_name);
      if (create_alias && this.collections.has(create_alias.alias_name)) throw new Refusal(400, "a collection's name");
      if (create_alias && !this.collections.has(create_alias.collection_name)) throw new Refusal(404, "no collection");
      if (create_alias) this.aliases.set(create_alias.alias_name, create_alias.collection_name);
    }
    return true;
  }

  #renameAlias({ old_alias_name, new_alias_name }: NonNullable<AliasAction["rename_alias"]>): void {
    const target = this.aliases.get(old_alias_name);
    if (target === undefined) throw new Refusal(404, `Not found: Alias ${old_alias_name} does not exists!`);
    this.aliases.delete(old_alias_name);
    this.aliases.set(new_alias_name, target);
  }

  #points(what: string, collection: Collection, body: Body): unknown {
    const { points } = collection;
    switch (what) {
      case "POST points":
        return body.ids.flatMap(id => points.get(id) ?? []).map(point => shown(point, body));
      case "PUT points":
        return upsert(collection, (body as unknown as { points: Point[] }).points);
      case "POST points/delete":
        return chosen(collection, body).forEach(({ id }) => points.delete(id)) ?? {};
      case "POST points/batch":
        return body.operations.map(operation => update(collection, operation));
      case "POST points/scroll": {
        checkLimit(body);
        const found = chosen(collection, { filter: body.filter ?? {} }).sort((a, b) => (a.id < b.id ? -1 : 1));
        if (body.offset && !UUID.test(body.offset)) throw new Refusal(400, `${body.offset} is not an id of a point`);
        const from = body.offset ? found.findIndex(({ id }) => id >= (body.offset as string)) : 0;
        const page = from < 0 ? [] : found.slice(from, from + body.limit);
        return {
          points: page.map(point => shown(point, body)),
          next_page_offset: from < 0 ? null : (found[from + body.limit]?.id ?? null),
        };
      }
      case "POST points/query":
        return { points: query(collection, body) };
      case "POST points/query/batch":
        return body.searches.map(search => ({ points: query(collection, search) }));
      default:
        throw new Refusal(404, `unknown: ${what}`);
    }
  }
}

const WRITES = new Set(["PUT points", "POST points/delete", "POST points/batch"]);
const isChange = (method: string, path: string): boolean =>
  ["PUT", "DELETE"].includes(method) ||
  (/\/(aliases|batch|delete)$/.test(path.replace(/query\/batch$/, "")) && method === "POST");
const INDEXED = new Set(["keyword", "integer", "float", "bool", "geo", "datetime", "text", "uuid"]);

function checkConfig({ vectors, sparse_vectors }: Body): void {
  for (const { size, distance } of Object.values(vectors)) {
    if (!Number.isInteger(size) || size < 1 || size > 65_536) throw new Refusal(422, "vectors.size: 1 to 65536");
    if (!["Cosine", "Euclid", "Dot", "Manhattan"].includes(distance)) throw new Refusal(400, "unknown distance");
  }
  for (const { modifier } of Object.values(sparse_vectors))
    if (![undefined, "none", "idf"].includes(modifier)) throw new Refusal(400, "unknown modifier");
}

function checkIndex({ field_name, field_schema }: Body): void {
  const type = typeof field_schema === "string" ? field_schema : (field_schema as { type?: string }).type;
  if (!field_name || !INDEXED.has(type ?? "")) throw new Refusal(400, "no schema of a field");
}

/** The number of points for each value of an indexed field, the most frequent first. */
function facet(collection: Collection, { key, filter, limit }: Body): { value: unknown; count: number }[] {
  if (!collection.indexes.has(key)) throw new Refusal(400, `no index for ${key} to count by`);
  const values = chosen(collection, { filter }).flatMap(({ payload }) => [payload[key]].flat());
  const counts = [...Map.groupBy(values, value => value)].map(([value, all]) => ({ value, count: all.length }));
  return counts.sort((a, b) => b.count - a.count).slice(0, limit);
}

const noPoint = (id: string): string => `Not found: No point with id ${id} found`;

function update(collection: Collection, operation: Operation): unknown {
  const { points } = collection;
  if (operation.upsert) return upsert(collection, operation.upsert.points);
  if (operation.set_payload) {
    for (const id of operation.set_payload.points ?? []) if (!points.has(id)) throw new Refusal(404, noPoint(id));
    for (const point of chosen(collection, operation.set_payload))
      point.payload = { ...point.payload, ...operation.set_payload.payload };
  } else if (operation.update_vectors)
    for (const { id, vector } of operation.update_vectors.points) {
      const point = points.get(id);
      if (!point) throw new Refusal(404, noPoint(id));
      point.vector = { ...point.vector, ...checked(collection, vector) };
    }
  else throw new Refusal(400, "unknown operation");
  return {};
}

function upsert(collection: Collection, points: Point[]): unknown {
  for (const { id, payload, vector } of points) {
    if (!UUID.test(id)) throw new Refusal(400, `${id} is not an id of a point`);
    collection.points.set(id, { id, payload, vector: checked(collection, vector) });
  }
  return {};
}

function checked(collection: Collection, vectors: Vectors): Vectors {
  for (const [name, vector] of Object.entries(vectors)) {
    const size = collection.config.vectors[name]?.size;
    if (size !== undefined) {
      if (!Array.isArray(vector) || vector.length !== size) throw new Refusal(400, `expected ${size} dimensions`);
    } else if (
      Array.isArray(vector) ||
      !collection.config.sparse_vectors[name] ||
      new Set(vector.indices).size !== vector.values.length
    )
      throw new Refusal(400, `a bad vector ${name}`);
  }
  return vectors;
}

function chosen(collection: Collection, { points: ids, filter }: Selection): Point[] {
  const { points } = collection;
  for (const id of ids ?? []) if (!UUID.test(id)) throw new Refusal(400, `${id} is not an id of a point`);
  if (ids) return ids.flatMap(id => points.get(id) ?? []);
  if (!filter) throw new Refusal(400, "neither points nor a filter");
  checkFilter(collection, filter);
  return [...points.values()].filter(point => passes(filter, point));
}

/** A server in strict mode refuses such filters. */
function checkFilter(collection: Collection, { must = [], must_not = [], should = [], min_should }: Filter): void {
  for (const condition of [...must, ...must_not, ...should, ...(min_should?.conditions ?? [])]) {
    if (condition.match && !collection.indexes.has(condition.key))
      throw new Refusal(400, `Index required but not found for "${condition.key}"`);
    checkFilter(collection, condition);
  }
}

function passes({ must = [], must_not = [], should = [], min_should }: Filter, point: Point): boolean {
  const holds = (condition: Condition): boolean => {
    const { has_id, key, match } = condition;
    if (has_id) return has_id.includes(point.id);
    if (!match) return passes(condition, point);
    const wanted: unknown[] = match.any ?? [match.value];
    return [point.payload[key]].flat().some(item => wanted.includes(item));
  };
  const enough = !min_should || min_should.conditions.filter(holds).length >= min_should.min_count;
  return enough && must.every(holds) && !must_not.some(holds) && (should.length === 0 || should.some(holds));
}

/** Servers in strict mode commonly have this limit. */
const MAX_QUERY_LIMIT = 1_000;

function checkLimit({ limit }: { limit: number }): void {
  if (!Number.isInteger(limit) || limit < 1) throw new Refusal(422, "limit: 1 or larger");
  if (limit > MAX_QUERY_LIMIT) throw new Refusal(400, `Limit exceeded ${limit} > ${MAX_QUERY_LIMIT} for "limit"`);
}

function query(collection: Collection, asking: Query): unknown[] {
  const { query: asked, using, filter, limit, with_payload } = asking;
  checkLimit(asking);
  if (asking.params?.exact) throw new Refusal(400, `Exact search is disabled! Help: Set exact=false.`);
  const { vectors, sparse_vectors } = collection.config;
  if (!(using in (Array.isArray(asked) ? vectors : sparse_vectors))) throw new Refusal(400, `no vector name ${using}`);
  if (Array.isArray(asked) && asked.length !== vectors[using]!.size) throw new Refusal(400, "dimensions");
  const candidates = chosen(collection, { filter }).filter(({ vector }) => vector[using]);
  const scored = candidates.map(point => ({ point, score: score(collection, point.vector[using], asked) }));
  return scored
    .filter(({ score: value }) => Array.isArray(asked) || value > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ point, score: value }) => ({ ...shown(point, { with_payload: with_payload ?? false }), score: value }));
}

function score(collection: Collection, held: Vectors[string] | undefined, asked: Query["query"]): number {
  if (Array.isArray(asked)) return cosine(held as number[], asked);
  const { indices, values } = held as Sparse;
  return asked.indices.reduce((sum, index, place) => {
    const at = indices.indexOf(index);
    if (at < 0) return sum;
    const holding = [...collection.points.values()].filter(({ vector }) =>
      (vector.words as Sparse).indices.includes(index),
    ).length;
    const rarity = Math.log(1 + (collection.points.size - holding + 0.5) / (holding + 0.5));
    return sum + rarity * (values[at] ?? 0) * (asked.values[place] ?? 0);
  }, 0);
}

function shown(
  { id, payload, vector }: Point,
  { with_payload = true, with_vector = false }: Shown,
): Record<string, unknown> {
  const pick = (from: Record<string, unknown>, wanted: boolean | string[]) =>
    Array.isArray(wanted) ? Object.fromEntries(wanted.filter(key => key in from).map(key => [key, from[key]])) : from;
  return {
    id,
    ...(with_payload && { payload: pick(payload, with_payload) }),
    ...(with_vector && { vector: pick(vector, with_vector) }),
  };
}
