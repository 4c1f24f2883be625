import { v7 as uuid } from "uuid";
import { openStore } from "../../adapters/store/open-store.ts";
import { notifications } from "../../services/notifications/model.ts";

/** Gives a user their first notification behind the back of the server that has this data; its id. */
export async function addNotification(dataDir: string, userId: string): Promise<string> {
  const store = await openStore({ dataDir, sync: "normal", collections: [notifications] });
  try {
    const id = uuid();
    const now = new Date();
    const expiresAt = new Date(now.getTime() + 86_400_000);
    const doc = { id, userId, seq: 1, key: id, type: "message", title: "Hello", createdAt: now, expiresAt } as const;
    await store.global(notifications).insert(doc);
    return id;
  } finally {
    await store.close();
  }
}
