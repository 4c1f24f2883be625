import { DocumentError } from "../documents/messages.ts";
import { limitMemory } from "../processes/memory-watch.ts";
import { serveTasks } from "../processes/serve-tasks.ts";
import { type Answer, SpreadsheetError, type Task } from "./messages.ts";
import { readTable } from "./read-table.ts";
import { xlsxBytes } from "./write-xlsx.ts";

const MAX_RSS_MB = 640;

async function answer(task: Task): Promise<Answer> {
  try {
    if ("write" in task) return { bytes: await xlsxBytes(task.write) };
    return { table: await readTable(task.bytes, task.read) };
  } catch (error) {
    const isKnown = error instanceof DocumentError || error instanceof SpreadsheetError;
    const { code, message } = isKnown
      ? error
      : { code: "file_unreadable" as const, message: "The file cannot be read: it is broken." };
    return { error: { code, message } };
  }
}

limitMemory(MAX_RSS_MB);
serveTasks(answer);
