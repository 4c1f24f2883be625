import type { ServiceBroker } from "moleculer";
import type { ActionName, InputOf, OutputOf } from "../../../contracts/actions.ts";
import { call, type Meta } from "../../../contracts/call.ts";
import { MAX_PAGE } from "../../../contracts/primitives.ts";

type ItemOf<N extends ActionName> = OutputOf<N> extends { items: (infer T)[] } ? T : never;
type ListAddress<N extends ActionName> = Omit<InputOf<N>, "workspaceId" | "limit" | "cursor">;

/** Reads a workspace with the rights of a caller. */
export class Reader {
  readonly #broker: ServiceBroker;
  readonly #meta: () => Meta;
  readonly #workspaceId: string;
  readonly #before: () => Promise<unknown>;

  /** `before` runs before each call. An error that it throws ends the work. */
  constructor(broker: ServiceBroker, workspaceId: string, meta: () => Meta, before: () => Promise<unknown>) {
    this.#broker = broker;
    this.#meta = meta;
    this.#workspaceId = workspaceId;
    this.#before = before;
  }

  async read<N extends ActionName>(name: N, place: Omit<InputOf<N>, "workspaceId">): Promise<OutputOf<N>> {
    await this.#before();
    const input = { ...place, workspaceId: this.#workspaceId } as unknown as InputOf<N>;
    return call(this.#broker, name, input, { meta: this.#meta() });
  }

  /** All items of a list. One page is in memory at a time. */
  async *all<N extends ActionName>(name: N, place: ListAddress<N>): AsyncGenerator<ItemOf<N>, void, undefined> {
    for (let cursor: string | undefined, more = true; more;) {
      const input = { ...place, limit: MAX_PAGE, ...(cursor !== undefined && { cursor }) };
      const page = (await this.read(name, input as unknown as Omit<InputOf<N>, "workspaceId">)) as {
        items: ItemOf<N>[];
        next: string | null;
      };
      yield* page.items;
      cursor = page.next ?? undefined;
      more = page.next !== null;
    }
  }
}
