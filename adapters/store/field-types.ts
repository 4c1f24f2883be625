import type { SchemaDefinition, SchemaDefinitionProperty } from "mongoose";

/**
 * Whether documents hold a field. `always`: with a value. `nullable`: with a value or null. `optional`: it may be
 * missing. `optionalOrNull`: it may be missing or null.
 */
type Presence = "always" | "nullable" | "optional" | "optionalOrNull";

/** A field of a collection: its definition for Mongoose and, for the compiler, the type of its values. */
export interface FieldType<T = unknown, P extends Presence = Presence> {
  readonly definition: object;
  /** Whether the store refuses a document without it. */
  readonly required: boolean;
  readonly presence: P;
  /** Never set. It carries the type of the values for the compiler. */
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

/** The type of documents with these fields, without `id` and `workspaceId`. */
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
/** One of these strings. The store refuses others. */
export const oneOf = <const T extends string>(values: readonly T[]) => required<T>({ type: String, enum: values });
/** Any JSON value. The store keeps it as text, so filters cannot use it. */
export const json = <T = unknown>() => always<T>({ type: String, json: true });
/** Text that is sealed with the key for `purpose`. Its context is the document's id. */
export const sealed = (purpose: string) => required<string>({ type: String, sealedFor: purpose });
/** An object of fields. `T` is the type of its values. */
export const nested = <T>(fields: FieldTypes) => always<T>(mongooseFields(fields));

/** The same field, with a value or null. */
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
/** The same field, which documents may lack or hold as null. */
export const optionalOrNull = <T>({ definition }: Always<T>): FieldType<T, "optionalOrNull"> => ({
  definition,
  required: false,
  presence: "optionalOrNull",
});
/** The same field, with a default for documents that are inserted without it. */
export const withDefault = <T>({ definition }: Always<T>, value: T): Always<T> =>
  always({ ...definition, default: value });

/** The fields as Mongoose's schema definition. */
export const mongooseFields = (fields: FieldTypes): SchemaDefinition =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field.definition, ...(field.required && { required: true }) } as SchemaDefinitionProperty,
    ]),
  );
