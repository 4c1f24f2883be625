import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import { AppError } from "../../../contracts/errors.ts";
import { issueFaults } from "../../../contracts/issue-faults.ts";
import { completeInput, type Input } from "./input.ts";
import { kindOf } from "./route-plan.ts";

/** Adds the fields of the query to those of the path, for a route that the gateway serves itself. */
export type OwnQuery = (input: Input, sources: { search: string; headers: IncomingHttpHeaders }) => Input;

/**
 * Reads the query of a route that the gateway serves itself.
 * @throws {AppError} validation_failed for every field that is unknown or not valid
 */
export function ownQuery(schema: z.ZodObject | undefined): OwnQuery {
  const shape = Object.entries<z.ZodType>(schema?.shape ?? {});
  const fields = {
    query: new Map(shape.map(([name, type]) => [name, kindOf(type)])),
    body: new Set<string>(),
    route: { headers: {} },
  };
  return (path, sources) => {
    const input = completeInput({ ...path }, fields, { ...sources, body: undefined });
    if (!schema) return input;
    const given = Object.fromEntries(shape.flatMap(([name]) => (name in input ? [[name, input[name]]] : [])));
    const { data, error } = schema.safeParse(given);
    if (error) throw new AppError("validation_failed", { errors: issueFaults(error.issues) });
    return { ...path, ...data };
  };
}
