import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { spentTokens } from "./model.ts";

/** Uses up what works once, until it expires at `until`, in ms. Of two uses at the same moment, one succeeds. */
export async function spend({ store }: WithStore, name: string, until: number): Promise<boolean> {
  const expiresAt = new Date(until);
  try {
    await store.global(spentTokens).insert({ id: derivedId(expiresAt, name), expiresAt });
    return true;
  } catch (error) {
    if (isUniqueConflict(error)) return false;
    throw error;
  }
}
