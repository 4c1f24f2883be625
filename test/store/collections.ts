import { randomUUID } from "node:crypto";
import { Schema } from "../../adapters/store/schema.ts";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import type { Collection, Store } from "../../adapters/store/port.ts";

export interface Item {
  id: string;
  workspaceId?: string;
  name: string;
  state?: "open" | "taken" | "done" | null;
  order?: number | null;
  count?: number;
  done?: boolean;
  at?: Date | null;
  tags?: string[];
  lease?: { owner?: string | null; until?: Date };
  body?: unknown;
  other?: unknown;
}

export const items = collectionOfSchema<Item>({
  name: "items",
  tenant: true,
  schema: new Schema({
    name: { type: String, required: true },
    state: { type: String, enum: ["open", "taken", "done"], default: "open" },
    order: Number,
    count: { type: Number, default: 0 },
    done: Boolean,
    at: Date,
    tags: { type: [String], default: undefined },
    lease: { owner: String, until: Date },
    body: { type: String, json: true },
    other: { type: String, json: true },
  })
    .index({ workspaceId: 1, at: -1 })
    .index({ workspaceId: 1, state: 1, order: 1 }),
});

export interface Slot {
  id: string;
  key: string;
  seq: number;
  email?: string;
  main?: boolean;
  made?: Date;
}

export const slots = collectionOfSchema<Slot>({
  name: "slots",
  tenant: false,
  schema: new Schema({
    key: { type: String, required: true },
    seq: { type: Number, required: true },
    email: String,
    main: Boolean,
    made: { type: Date, default: () => new Date(1000) },
  })
    .index({ key: 1, seq: 1 }, { unique: true })
    .index({ email: 1 }, { unique: true, partialFilterExpression: { email: { $exists: true } } })
    .index({ key: 1 }, { unique: true, partialFilterExpression: { main: true } }),
});

/** What a test works with: a workspace of its own, and the store behind it. */
export interface Bench {
  store: Store;
  workspaceId: string;
  items: Collection<Item>;
  slots: Collection<Slot>;
}

export const ids = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);
export const id = (): string => randomUUID();
