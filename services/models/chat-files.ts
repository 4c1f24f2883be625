import { buffer } from "node:stream/consumers";
import { type ChatFile, type ChatMessage, isShownType } from "../../adapters/models/index.ts";
import { fromGateError } from "../../adapters/models/model-error.ts";
import { Gate } from "../../adapters/processes/gate.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { MAX_CHAT_FILE_BYTES, MAX_CHAT_FILES, MAX_CHAT_FILES_BYTES } from "../../contracts/actions/models.ts";
import { AppError } from "../../contracts/errors.ts";
import type { Files, Located } from "../../service-kit/files.ts";

type ChatMessages = ParamsOf<"models.chat">["messages"];

/** A call with files holds all of them in memory several times, so only a few such calls run at the same time. */
const LIMITS = { atOnce: 3, waiting: 200 };
const MIB = 1_048_576;

const idsIn = (messages: ChatMessages) =>
  messages.flatMap(message => (message.role === "user" ? (message.files ?? []) : []));

function check(located: readonly Located[]): void {
  for (const { name, type, size } of located) {
    if (!isShownType(type)) {
      const takes = "images (PNG, JPEG, GIF, WebP), audio (WAV, MP3), PDF and text";
      throw new AppError("validation_failed", {
        detail: `The file "${name}" has the type ${type}. A model takes ${takes}.`,
      });
    }
    if (size > MAX_CHAT_FILE_BYTES) {
      const detail = `"${name}" is too large. A file for a model is limited to ${MAX_CHAT_FILE_BYTES / MIB} MiB.`;
      throw new AppError("payload_too_large", { detail });
    }
  }
  if (located.reduce((sum, { size }) => sum + size, 0) > MAX_CHAT_FILES_BYTES) {
    const detail = `The files for a model are limited to ${MAX_CHAT_FILES_BYTES / MIB} MiB together.`;
    throw new AppError("payload_too_large", { detail });
  }
}

/** Reads the files of messages for the duration of a call to a model. */
export class ChatFiles {
  readonly #files: Files;
  readonly #gate = new Gate(LIMITS);

  constructor(files: Files) {
    this.#files = files;
  }

  /**
   * Calls `ask` with the messages and their files.
   * @throws {AppError} not_found, validation_failed, payload_too_large, unavailable
   * @throws {ModelError} model_unavailable when too many such calls wait
   * @throws the error of `ask`
   */
  async run<T>(
    workspaceId: string | undefined,
    messages: ChatMessages,
    signal: AbortSignal | undefined,
    ask: (messages: ChatMessage[]) => Promise<T>,
  ): Promise<T> {
    const ids = [...new Set(idsIn(messages))];
    if (ids.length === 0) return ask(messages as ChatMessage[]);
    if (workspaceId === undefined) throw new AppError("validation_failed", { detail: "Files belong to a workspace." });
    if (ids.length > MAX_CHAT_FILES)
      throw new AppError("validation_failed", {
        detail: `A request to a model is limited to ${MAX_CHAT_FILES} files.`,
      });
    const located = await Promise.all(ids.map(id => this.#files.locate(workspaceId, id, "file")));
    check(located);
    const work = async () => ask(withFiles(messages, await this.#read(workspaceId, located, signal)));
    return this.#gate.run(workspaceId, work, signal).catch((error: unknown) => {
      throw fromGateError(error);
    });
  }

  async #read(workspaceId: string, located: readonly Located[], signal: AbortSignal | undefined) {
    const read = new Map<string, ChatFile>();
    for (const file of located) {
      const bytes = await buffer(this.#files.read(workspaceId, file, undefined, signal) as AsyncIterable<Buffer>);
      read.set(file.id, { name: file.name, type: file.type, bytes });
    }
    return read;
  }
}

const withFiles = (messages: ChatMessages, read: ReadonlyMap<string, ChatFile>): ChatMessage[] =>
  messages.map(message => {
    if (message.role !== "user") return message;
    return { ...message, files: (message.files ?? []).flatMap(id => read.get(id) ?? []) };
  });
