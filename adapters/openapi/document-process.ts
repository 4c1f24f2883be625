import { serveTasks } from "../processes/serve-tasks.ts";
import { type Answer, ApiDocumentError, type Task } from "./messages.ts";
import { readDocument } from "./read-document.ts";

function answer(task: Task): Promise<Answer> {
  try {
    return Promise.resolve({ description: readDocument(task) });
  } catch (error) {
    const isDeep = error instanceof RangeError;
    const why = isDeep ? "The document is nested too deep." : "The document cannot be read: it is broken.";
    return Promise.resolve({ error: error instanceof ApiDocumentError ? error.message : why });
  }
}

serveTasks(answer);
