import type { z } from "zod";
import type { CollectionSpec, Doc } from "../adapters/store/port.ts";

type Shape = Readonly<Record<string, z.ZodType>>;
type Entity<S extends Shape> = z.infer<z.ZodObject<S>>;

/**
 * A stored value in the API's form. A date becomes ISO 8601 text, and a missing value becomes null if the entity allows
 * null.
 */
type Presented<V, E> = V extends Date ? string : V extends null | undefined ? (null extends E ? null : undefined) : V;
/** The fields of an entity that documents store in the same form. */
type Stored<E, D> = {
  [K in keyof E]-?: K extends keyof D ? (Presented<D[K], E[K]> extends E[K] ? K : never) : never;
}[keyof E];
type NotStored<E, D> = { [K in keyof E as K extends Stored<E, D> ? never : K]: E[K] };

/** The fields that documents do not store in the same form, and any others that differ. */
export type GivenFields<E, D> = NotStored<E, D> & Partial<E>;

/**
 * Makes a call without `given` fail to compile if documents lack a field. Optional fields that documents lack are left
 * out.
 */
type Complete<E, D> = Record<never, never> extends NotStored<E, D> ? unknown : { fieldsToGive: keyof NotStored<E, D> };

/**
 * Returns the function that converts a document to an entity. It takes exactly the entity's fields, from `given` or
 * else from the document. The compiler refuses an entity with a field that neither provides.
 */
export function presenter<S extends Shape, D extends Doc>(
  entity: z.ZodObject<S>,
  collection: CollectionSpec<D> & Complete<Entity<S>, D>,
): (doc: D) => Entity<S>;
export function presenter<S extends Shape, D extends Doc, A extends unknown[]>(
  entity: z.ZodObject<S>,
  collection: CollectionSpec<D>,
  given: (doc: D, ...args: A) => GivenFields<Entity<S>, D>,
): (doc: D, ...args: A) => Entity<S>;
export function presenter<D extends Doc, A extends unknown[]>(
  entity: z.ZodObject<Shape>,
  _collection: CollectionSpec<D>,
  given?: (doc: D, ...args: A) => object,
): (doc: D, ...args: A) => unknown {
  const fields = Object.entries(entity.shape).map(([name, type]) => ({ name, isNullable: type.isNullable() }));
  return (doc, ...args) => {
    const stored = doc as Readonly<Record<string, unknown>>;
    const others = given?.(doc, ...args) as Readonly<Record<string, unknown>> | undefined;
    const presented: Record<string, unknown> = {};
    for (const { name, isNullable } of fields) {
      const source = others && Object.hasOwn(others, name) ? others : stored;
      const value = source[name] ?? (isNullable ? null : undefined);
      if (value !== undefined) presented[name] = value instanceof Date ? value.toISOString() : value;
    }
    return presented;
  };
}
