import { createContext } from "react";

/** What a form holds of a file: the value that runs hold. */
export interface FileValue {
  $file: { id: string; name: string; type: string; size: number; sha256: string };
}

/** Uploads a file for the form. Without it, forms write files as JSON. */
export const Uploads = createContext<((file: File, signal: AbortSignal) => Promise<FileValue>) | undefined>(undefined);
