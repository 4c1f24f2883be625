import type { AuditEntry } from "../../sdk/definition.ts";

const COLUMNS = [
  "at",
  "actorName",
  "actorKind",
  "actorId",
  "action",
  "outcome",
  "error",
  "resourceType",
  "resourceId",
  "spaceId",
  "fields",
  "address",
  "requestId",
] as const;

/** Returns a cell of a CSV file. A value that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Entries as a CSV file (RFC 4180). */
export function csvOf(entries: readonly AuditEntry[]): string {
  const lines = entries.map(entry => {
    const { actor, fields, actorName = "", error, resourceId, spaceId } = entry;
    const row: Record<(typeof COLUMNS)[number], string> = {
      at: entry.at,
      actorName,
      actorKind: actor.kind,
      actorId: actor.id,
      action: entry.action,
      outcome: entry.outcome,
      error: error ?? "",
      resourceType: entry.resourceType,
      resourceId: resourceId ?? "",
      spaceId: spaceId ?? "",
      fields: fields.join(" "),
      address: entry.address,
      requestId: entry.requestId,
    };
    return COLUMNS.map(column => csvCell(row[column])).join(",");
  });
  return [COLUMNS.join(","), ...lines, ""].join("\r\n");
}
