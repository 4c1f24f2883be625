import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { basename } from "node:path";
import type { InputFile } from "../../sdk/index.ts";
import { CommandError, UsageError } from "../command.ts";

/**
 * A file of this machine. It is read while it is sent.
 * @throws {CommandError} when it cannot be read
 */
export async function fileAt(path: string): Promise<Blob> {
  try {
    // `openAsBlob` does not report the reason of a failure.
    await access(path, constants.R_OK);
    return await openAsBlob(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${path} cannot be read: ${code ?? message}`);
  }
}

const FILE = /^([^=]+)=(.+?)(?:;type=([^;]+))?$/;

/**
 * The files of `--file name=path[;type=media/type]`, by the names of their members. A repeated name becomes a list.
 * Undefined without the option.
 * @throws {UsageError}
 * @throws {CommandError}
 */
export async function filesOption(texts: readonly string[]): Promise<Record<string, InputFile[]> | undefined> {
  if (texts.length === 0) return undefined;
  const files = new Map<string, InputFile[]>();
  for (const text of texts) {
    const [, member, path, type] = FILE.exec(text) ?? [];
    if (member === undefined || path === undefined) throw new UsageError("--file takes name=path");
    const file = { file: await fileAt(path), name: basename(path), ...(type !== undefined && { contentType: type }) };
    files.set(member, [...(files.get(member) ?? []), file]);
  }
  return Object.fromEntries(files);
}
