import type { z } from "zod";
import type { CollectionSpec, Doc } from "../adapters/store/port.ts";

type Shape = Readonly<Record<string, z.ZodType>>;
type Entity<S extends Shape> = z.infer<z.ZodObject<S>>;

/** A stored value as the API gives it: a date as ISO 8601 text, a missing one as null where the entity may have null. */
type Presented<V, E> = V extends Date ? string : V extends null | undefined ? (null extends E ? null : undefined) : V;
/** The fields of an entity that documents hold in the same form. */
type Stored<E, D> = {
  [K in keyof E]-?: K extends keyof D ? (Presented<D[K], E[K]> extends E[K] ? K : never) : never;
}[keyof E];
type NotStored<E, D> = { [K in keyof E as K extends Stored<E, D> ? never : K]: E[K] };

/** The fields that documents do not hold in the same form, and any others that differ. */
export type Given<E, D> = NotStored<E, D> & Partial<E>;

/** What keeps a call without `given` from compiling: an optional field that documents do not hold is left out. */
type Complete<E, D> = Record<never, never> extends NotStored<E, D> ? unknown : { fieldsToGive: keyof NotStored<E, D> };

/**
 * The function that makes an entity of a document. It takes the entity's fields, and no others, from `given` or else from the
 * document. The compiler refuses an entity with a field that neither has.
 */
export function presenter<S extends Shape, D extends Doc>(
  entity: z.ZodObject<S>,
  collection: CollectionSpec<D> & Complete<Entity<S>, D>,
): (doc: D) => Entity<S>;
export function presenter<S extends Shape, D extends Doc, A extends unknown[]>(
  entity: z.ZodObject<S>,
  collection: CollectionSpec<D>,
  given: (doc: D, ...args: A) => Given<Entity<S>, D>,
): (doc: D, ...args: A) => Entity<S>;
export function presenter<D extends Doc, A extends unknown[]>(
  entity: z.ZodObject<Shape>,
  _collection: CollectionSpec<D>,
  given?: (doc: D, ...args: A) => object,
): (doc: D, ...args: A) => unknown {
  const fields = Object.entries(entity.shape).map(([name, type]) => ({ name, isNullable: type.isNullable() }));
  return (doc, ...args) => {
    const source = (given ? { ...doc, ...given(doc, ...args) } : doc) as Readonly<Record<string, unknown>>;
    const presented: Record<string, unknown> = {};
    for (const { name, isNullable } of fields) {
      const value = source[name] ?? (isNullable ? null : undefined);
      if (value !== undefined) presented[name] = value instanceof Date ? value.toISOString() : value;
    }
    return presented;
  };
}
