import { useSyncExternalStore } from "react";
import { weft } from "./client.ts";
import { renewBase } from "./knowledge.ts";
import { problemOf } from "./problem.ts";

/** A file that is being uploaded to a knowledge base. After the upload, the list of imports shows it. */
export interface Upload {
  key: number;
  workspaceId: string;
  baseId: string;
  file: File;
  state: "waiting" | "sending" | "failed";
  /** Why the upload failed. */
  reason?: string;
}

export const MAX_FILES = 50;
/** The service reads one file after the other, so more uploads in parallel would only wait there. */
const AT_ONCE = 2;
const KINDS = /\.(txt|text|md|markdown|html?|xhtml|csv|pdf|docx|xlsx)$/i;

/** Tells by its name whether the service can read a file. */
export const isReadable = ({ name }: Pick<File, "name">): boolean => KINDS.test(name);
/** The same file types, for the file dialog of the browser. */
export const ACCEPTED = ".txt,.text,.md,.markdown,.htm,.html,.xhtml,.csv,.pdf,.docx,.xlsx";

// Kept outside of React, so that uploads go on while another page is open.
let uploads: readonly Upload[] = [];
let keys = 0;
const listeners = new Set<() => void>();

function set(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

const change = (key: number, to: Partial<Upload>) =>
  set(uploads.map(one => (one.key === key ? { ...one, ...to } : one)));

export const forget = (key: number): void => set(uploads.filter(one => one.key !== key));

async function send({ key, workspaceId, baseId, file }: Upload): Promise<void> {
  change(key, { state: "sending" });
  try {
    await weft.knowledge.imports.upload({ workspaceId, id: baseId, file });
    await renewBase(workspaceId);
    forget(key);
  } catch (error) {
    const { title, detail } = problemOf(error);
    change(key, { state: "failed", reason: detail || title });
  }
  next();
}

function next(): void {
  const free = AT_ONCE - uploads.filter(({ state }) => state === "sending").length;
  for (const upload of uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(0, free))) {
    void send(upload);
  }
}

/**
 * Uploads files to a base, a few at a time. A file that the service cannot read is listed with the reason, and not
 * sent.
 */
export function upload(workspaceId: string, baseId: string, files: readonly File[], unreadable: string): void {
  const added = files.slice(0, MAX_FILES).map((file): Upload => {
    const at = { key: ++keys, workspaceId, baseId, file };
    return isReadable(file) ? { ...at, state: "waiting" } : { ...at, state: "failed", reason: unreadable };
  });
  set([...uploads, ...added]);
  next();
}

export function sendAgain(key: number): void {
  change(key, { state: "waiting" });
  next();
}

/** The uploads to all bases that are under way or have failed. */
export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
