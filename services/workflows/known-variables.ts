import { call } from "../../contracts/call.ts";

/** The names of the variables of a space, for the check of a definition; undefined where the definition names none. */
export async function knownVariables(
  from: { call: unknown },
  { workspaceId, spaceId }: { workspaceId: string; spaceId: string },
  definition: unknown,
): Promise<ReadonlySet<string> | undefined> {
  if (!JSON.stringify(definition ?? null).includes("vars")) return undefined;
  const { values } = await call(from, "variables.read", { workspaceId, spaceId });
  return new Set(Object.keys(values));
}
