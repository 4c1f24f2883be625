import { Schema } from "mongoose";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { User } from "../../contracts/entities/user.ts";

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
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

const session = new Schema({
  userId: { type: String, required: true },
  refreshHash: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
session.index({ userId: 1 });
session.index({ expiresAt: 1 });

export const sessions = defineCollection<SessionDoc>({ name: "sessions", schema: session, tenant: false });

export const present = ({ id, email, name, createdAt, updatedAt }: UserDoc): User => ({
  id,
  email,
  name,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
