import type { CommandFailedEvent, CommandSucceededEvent, Document, MongoClient } from "mongodb";

const MAX_SHAPE_DEPTH = 16;
const FILTERS = ["filter", "query", "q", "sort", "pipeline"];

/** The shape of a filter without its values, which may be private: `{"workspaceId":"?"}`. */
function shapeOf(value: unknown, depth = 0): unknown {
  if (depth > MAX_SHAPE_DEPTH || value === null || typeof value !== "object") return "?";
  if (Array.isArray(value)) {
    const shapes = value.map(item => shapeOf(item, depth + 1));
    return shapes.every(shape => shape === "?") ? (shapes.length > 0 ? `? × ${shapes.length}` : []) : shapes;
  }
  // Dates, ids and bytes are values.
  if (value instanceof Date || "_bsontype" in value || ArrayBuffer.isView(value)) return "?";
  const entries: [string, unknown][] =
    value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, shapeOf(item, depth + 1)]));
}

function describe(name: string, command: Document): string {
  // Updates and removals are lists of statements, with at most one statement here.
  const [statement] = (command.updates ?? command.deletes ?? [command]) as Document[];
  const parts = FILTERS.flatMap(part => {
    const given: unknown = statement?.[part];
    return given === undefined ? [] : [`${part} ${JSON.stringify(shapeOf(given))}`];
  });
  const count = Array.isArray(command.documents) ? [`${command.documents.length} documents`] : [];
  return [`${name} ${String(command[name])}`, ...count, ...parts].join(", ");
}

/** Reports the commands that take longer than `slowMs`, with the shape of their filters but without values. */
export function watchSlowCommands(client: MongoClient, slowMs: number, warn: (message: string) => void): void {
  // Has at most as many entries as there are connections.
  const underWay = new Map<number, Document>();
  client.on("commandStarted", ({ requestId, command }) => void underWay.set(requestId, command));
  const ended = ({ requestId, commandName, duration }: CommandSucceededEvent | CommandFailedEvent) => {
    const command = underWay.get(requestId);
    underWay.delete(requestId);
    if (command && duration >= slowMs)
      warn(`MongoDB took ${Math.round(duration)} ms: ${describe(commandName, command)}`);
  };
  client.on("commandSucceeded", ended);
  client.on("commandFailed", ended);
}
