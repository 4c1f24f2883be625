import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { spentTokens } from "./model.ts";

const spentId = (name: string, until: number) => derivedId(new Date(until), name);

/** Whether `markSpent` was called for the name. */
export const isSpent = async ({ store }: WithStore, name: string, until: number): Promise<boolean> =>
  (await store.global(spentTokens).get({ id: spentId(name, until) })) !== null;

/**
 * Marks something that works once as used, until it expires at `until`, in ms. Of two concurrent uses, only one
 * succeeds.
 */
export async function markSpent({ store }: WithStore, name: string, until: number): Promise<boolean> {
  try {
    await store.global(spentTokens).insert({ id: spentId(name, until), expiresAt: new Date(until) });
    return true;
  } catch (error) {
    if (isUniqueConflict(error)) return false;
    throw error;
  }
}
