import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { ApiKey } from "../../contracts/entities/api-key.ts";
import type { User } from "../../contracts/entities/user.ts";
import { ROLES, type Role } from "../../contracts/primitives.ts";

export interface UserDoc {
  id: string;
  email: string;
  name: string | null;
  passwordHash: string;
  createdAt: Date;
  updatedAt: Date;
}

const user = new Schema({
  email: { type: String, required: true },
  name: String,
  passwordHash: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
user.index({ email: 1 }, { unique: true });

export const users = defineCollection<UserDoc>({ name: "users", schema: user, tenant: false });

/** A sign-in. It lasts until `expiresAt`, which every refresh moves; one that was ended is removed. */
export interface SessionDoc {
  id: string;
  userId: string;
  /** The refresh token that is good now, as a keyed hash. */
  refreshHash: string;
  /** When tokens were replaced not long ago, ISO 8601, the newest last: within the grace they still count. */
  replacedAt?: string[];
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

const session = new Schema({
  userId: { type: String, required: true },
  refreshHash: { type: String, required: true },
  replacedAt: [String],
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
session.index({ userId: 1 });
session.index({ expiresAt: 1 });

export const sessions = defineCollection<SessionDoc>({ name: "sessions", schema: session, tenant: false });

/** A key for programs. One that was revoked is removed, so that it is there as long as it counts. */
export interface ApiKeyDoc {
  id: string;
  workspaceId: string;
  name: string;
  role: Role;
  /** The key itself, as a keyed hash. */
  hash: string;
  createdBy: string;
  /** The creator's membership, with which the key ends. */
  memberId: string;
  createdAt: Date;
  expiresAt?: Date | null;
  lastUsedAt?: Date | null;
}

const apiKey = new Schema({
  name: { type: String, required: true },
  role: { type: String, required: true, enum: ROLES },
  hash: { type: String, required: true },
  createdBy: { type: String, required: true },
  memberId: { type: String, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: Date,
  lastUsedAt: Date,
});
apiKey.index({ hash: 1 }, { unique: true });
apiKey.index({ workspaceId: 1, _id: -1 });
apiKey.index({ expiresAt: 1 });

export const apiKeys = defineCollection<ApiKeyDoc>({ name: "apiKeys", schema: apiKey, tenant: true });

export const present = ({ id, email, name, createdAt, updatedAt }: UserDoc): User => ({
  id,
  email,
  name,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const presentApiKey = (key: ApiKeyDoc): ApiKey => ({
  id: key.id,
  workspaceId: key.workspaceId,
  name: key.name,
  role: key.role,
  createdBy: key.createdBy,
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.expiresAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
});
