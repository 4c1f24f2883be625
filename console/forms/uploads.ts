import { createContext } from "react";

/** An uploaded file, in the form in which runs hold it. */
export interface FileValue {
  $file: { id: string; name: string; type: string; size: number; sha256: string };
}

/** Uploads a file for the form. Without this context, users write files as JSON. */
export const Uploads = createContext<((file: File, signal: AbortSignal) => Promise<FileValue>) | undefined>(undefined);
