import { v7 as uuid } from "uuid";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Role } from "../../contracts/primitives.ts";
import { hashPassword } from "../../services/identity/password.ts";
import { users } from "../../services/identity/model.ts";
import { members } from "../../services/workspaces/model.ts";
import { storeAt } from "./real-servers.ts";

/** Makes users members of a workspace by writing to the data of a running server. */
export async function addMembers(
  dataDir: string,
  wanted: readonly { workspaceId: string; userId: string; role: Role }[],
): Promise<void> {
  const store = await openStore({ ...storeAt(dataDir), collections: [members] });
  try {
    const now = new Date();
    const docs = wanted.map(member => ({ id: uuid(), ...member, createdAt: now, updatedAt: now }));
    await store.acrossTenants(members).insertMany(docs);
  } finally {
    await store.close();
  }
}

/** Creates accounts with this password, like an operator. */
export async function addAccounts(dataDir: string, emails: readonly string[], password: string): Promise<void> {
  const store = await openStore({ ...storeAt(dataDir), collections: [users] });
  try {
    const now = new Date();
    const passwordHash = await hashPassword(password);
    const docs = emails.map(email => ({ id: uuid(), email, name: null, passwordHash, createdAt: now, updatedAt: now }));
    await store.global(users).insertMany(docs);
  } finally {
    await store.close();
  }
}
