import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { CommandError, UsageError } from "./command.ts";

const MAX_BYTES = 16 * 1024 * 1024;
const [ENTER, NEWLINE, CTRL_C, CTRL_D, BACKSPACE, DELETE] = ["\r", "\n", "\u0003", "\u0004", "\b", "\u007f"];

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new CommandError("The standard input is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The text of a file, or of standard input if the name is `-`. */
export async function readText(file: string): Promise<string> {
  if (file === "-") return standardInput();
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.code ?? error.message}`);
  });
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not valid JSON: ${(error as Error).message}`);
  }
}

/** The JSON value of an option: given directly, as `@<file>`, or as `-` for standard input. */
export async function jsonOption(text: string, option: string): Promise<unknown> {
  const file = text === "-" ? "-" : text.startsWith("@") ? text.slice(1) : undefined;
  return file === undefined ? parseJson(text, option) : parseJson(await readText(file), file === "-" ? option : file);
}

/** Asks the user for one line. */
export async function ask(question: string, option: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`${option} is missing`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(question).finally(() => lines.close());
  return answer.trim();
}

/** Reads keys up to the end of the line without showing them. Returns null if the user cancels. */
function typed(): Promise<string | null> {
  const { stdin } = process;
  return new Promise(resolve => {
    let line = "";
    const end = (result: string | null) => {
      stdin.off("data", read).setRawMode(false).pause();
      process.stderr.write("\n");
      resolve(result);
    };
    const read = (keys: string) => {
      for (const key of keys) {
        if (key === ENTER || key === NEWLINE) return end(line);
        if (key === CTRL_C || key === CTRL_D) return end(null);
        line = key === BACKSPACE || key === DELETE ? line.slice(0, -1) : line + key;
      }
    };
    stdin.setEncoding("utf8").setRawMode(true).resume().on("data", read);
  });
}

/** Asks for a secret without showing it. Without a terminal it reads the first line of standard input. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    const [line = ""] = (await standardInput()).split(/\r?\n/);
    if (line === "") throw new UsageError("Standard input is empty.");
    return line;
  }
  process.stderr.write(question);
  const line = await typed();
  if (line === null) throw new CommandError("Nothing was changed.");
  return line;
}
