import type { Store } from "../../adapters/store/port.ts";
import { MAX_VARIABLES_BYTES } from "../../contracts/actions/variables.ts";
import { handle } from "../../contracts/call.ts";
import type { Variables } from "../../contracts/entities/variables.ts";
import { AppError } from "../../contracts/errors.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { ensureRevision, NEXT_REVISION, revisionOf, unchanged } from "../../service-kit/revisions.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { variables, type VariablesDoc, variablesId } from "./model.ts";

/** Each failed attempt means that another request changed the variables. */
const MAX_ATTEMPTS = 20;

interface VariablesAddress {
  workspaceId: string;
  spaceId?: string;
}
type Values = Record<string, unknown>;

const docOf = (store: Store, { workspaceId, spaceId }: VariablesAddress) =>
  store.tenant(variables, workspaceId).shared({ id: variablesId(workspaceId, spaceId) });

async function present(store: Store, place: VariablesAddress, doc: Readonly<VariablesDoc> | null): Promise<Variables> {
  const inherited = place.spaceId === undefined ? null : await docOf(store, { workspaceId: place.workspaceId });
  return {
    values: doc?.values ?? {},
    inherited: inherited?.values ?? {},
    updatedAt: doc?.updatedAt.toISOString() ?? null,
    revision: revisionOf(doc),
  };
}

function changed(old: Values, set: Values, remove: readonly string[]): Values {
  const values = { ...old, ...set };
  for (const name of remove) delete values[name];
  if (Buffer.byteLength(JSON.stringify(values)) > MAX_VARIABLES_BYTES) {
    const detail = `The variables of one place are limited to ${MAX_VARIABLES_BYTES} bytes of JSON in total.`;
    throw new AppError("payload_too_large", { detail });
  }
  return values;
}

interface Wanted {
  set: Values;
  remove: readonly string[];
  ifMatch?: string | undefined;
}

async function change(store: Store, place: VariablesAddress, { set, remove, ifMatch }: Wanted): Promise<Variables> {
  const { workspaceId, spaceId } = place;
  const all = store.tenant(variables, workspaceId);
  const id = variablesId(workspaceId, spaceId);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const old = await all.get({ id });
    ensureRevision(ifMatch, old);
    const values = changed(old?.values ?? {}, set, remove);
    const updatedAt = new Date();
    if (old) {
      const doc = await all.updateOne(unchanged(old), { $set: { values, updatedAt }, $inc: NEXT_REVISION });
      if (doc) return present(store, place, doc);
      continue;
    }
    const doc: VariablesDoc = {
      id,
      workspaceId,
      ...(spaceId !== undefined && { spaceId }),
      values,
      revision: 1,
      updatedAt,
    };
    try {
      await all.insert(doc);
      return await present(store, place, doc);
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
  throw new AppError("conflict");
}

export const get = handle<"variables.get", WithStore>("variables.get", async function (ctx) {
  const { workspaceId } = ctx.params;
  return present(this.store, { workspaceId }, await docOf(this.store, { workspaceId }));
});

export const update = handle<"variables.update", WithStore>("variables.update", function (ctx) {
  return change(this.store, { workspaceId: ctx.params.workspaceId }, ctx.params);
});

export const getOfSpace = handle<"variables.ofSpace.get", WithStore>("variables.ofSpace.get", async function (ctx) {
  return present(this.store, ctx.params, await docOf(this.store, ctx.params));
});

export const updateOfSpace = handle<"variables.ofSpace.update", WithStore>("variables.ofSpace.update", function (ctx) {
  return change(this.store, ctx.params, ctx.params);
});

export const read = handle<"variables.read", WithStore>("variables.read", async function (ctx) {
  const { workspaceId, spaceId } = ctx.params;
  const [shared, own] = await Promise.all([
    docOf(this.store, { workspaceId }),
    docOf(this.store, { workspaceId, spaceId }),
  ]);
  return { values: { ...shared?.values, ...own?.values } };
});

export const purge = handle<"variables.purge", WithStore>("variables.purge", async function (ctx) {
  const { workspaceId, spaceId } = ctx.params;
  const filter = spaceId === undefined ? {} : { id: variablesId(workspaceId, spaceId) };
  await removeAll(this.store.tenant(variables, workspaceId), filter);
  return null;
});
