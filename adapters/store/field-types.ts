import type { SchemaDefinition, SchemaDefinitionProperty } from "mongoose";

/**
 * Whether documents hold a field: `always` with a value, `nullable` with a value or null, `optional` perhaps not at all,
 * `optionalOrNull` perhaps not at all or with null.
 */
type Presence = "always" | "nullable" | "optional" | "optionalOrNull";

/** One field of a collection: what Mongoose is told of it and, for the compiler, what documents hold. */
export interface FieldType<T = unknown, P extends Presence = Presence> {
  readonly definition: object;
  /** The store refuses a document without it. */
  readonly required: boolean;
  readonly presence: P;
  /** Never set: it carries the type of the values. */
  readonly values?: T;
}

export type FieldTypes = Readonly<Record<string, FieldType>>;

type Held<F> =
  F extends FieldType<infer T, infer P>
    ? P extends "always"
      ? T
      : P extends "optional"
        ? T | undefined
        : T | null
    : never;
type MayBeMissing<F> =
  F extends FieldType<unknown, infer P> ? (P extends "optional" | "optionalOrNull" ? true : false) : never;

/** What documents with these fields look like, without `id` and `workspaceId`. */
export type FieldsOf<F extends FieldTypes> = {
  -readonly [K in keyof F as MayBeMissing<F[K]> extends true ? never : K]: Held<F[K]>;
} & { -readonly [K in keyof F as MayBeMissing<F[K]> extends true ? K : never]?: Held<F[K]> };

type Always<T> = FieldType<T, "always">;

const required = <T>(definition: object): Always<T> => ({ definition, required: true, presence: "always" });
const always = <T>(definition: object): Always<T> => ({ definition, required: false, presence: "always" });

export const string = <T extends string = string>() => required<T>({ type: String });
export const number = () => required<number>({ type: Number });
export const boolean = () => required<boolean>({ type: Boolean });
export const date = () => required<Date>({ type: Date });
export const strings = <T extends string = string>() => always<T[]>({ type: [String], default: undefined });
/** One of these strings; the store refuses others. */
export const oneOf = <const T extends string>(values: readonly T[]) => required<T>({ type: String, enum: values });
/** Any JSON value. The store keeps it as text, so filters cannot ask for it. */
export const json = <T = unknown>() => always<T>({ type: String, json: true });
/** Text that is sealed with a key made for `purpose`. Its context is the document's id. */
export const sealed = (purpose: string) => required<string>({ type: String, sealedFor: purpose });
/** An object of fields; `T` is what callers keep there. */
export const nested = <T>(fields: FieldTypes) => always<T>(mongooseFields(fields));

/** The same field, which documents hold with a value or null. */
export const nullable = <T>({ definition }: Always<T>): FieldType<T, "nullable"> => ({
  definition,
  required: false,
  presence: "nullable",
});
/** The same field, which documents may lack. */
export const optional = <T>({ definition }: Always<T>): FieldType<T, "optional"> => ({
  definition,
  required: false,
  presence: "optional",
});
/** The same field, which documents may lack or hold with null. */
export const optionalOrNull = <T>({ definition }: Always<T>): FieldType<T, "optionalOrNull"> => ({
  definition,
  required: false,
  presence: "optionalOrNull",
});
/** The same field, with a value for documents that are inserted without it. */
export const withDefault = <T>({ definition }: Always<T>, value: T): Always<T> =>
  always({ ...definition, default: value });

/** The fields as Mongoose takes them. */
export const mongooseFields = (fields: FieldTypes): SchemaDefinition =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field.definition, ...(field.required && { required: true }) } as SchemaDefinitionProperty,
    ]),
  );
