import type { ChatFile } from "./port.ts";

// The file parts of a message, as in OpenAI's protocol.

type Part = Record<string, unknown>;

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const AUDIO: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};
const PDF = "application/pdf";
const TEXT = /^(text\/[\w.+-]+|application\/(json|xml|yaml|x-ndjson|[\w.+-]+\+(json|xml)))$/;

/** The type without its parameters. */
export const essenceOf = (type: string) => (type.split(";")[0] ?? "").trim().toLowerCase();

/** Whether the protocol supports files of this media type. */
export function isShownType(type: string): boolean {
  const essence = essenceOf(type);
  return IMAGES.has(essence) || Object.hasOwn(AUDIO, essence) || essence === PDF || TEXT.test(essence);
}

/** Whether models get such files as text. */
export const isTextType = (type: string): boolean => TEXT.test(essenceOf(type));
/** A text file as text, for protocols that have no form for it. */
export const textOfFile = ({ name, bytes }: ChatFile): string =>
  `The file ${JSON.stringify(name)}:\n${new TextDecoder().decode(bytes)}`;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");

function filePart(shown: ChatFile): Part {
  const { name, type, bytes } = shown;
  const essence = essenceOf(type);
  if (IMAGES.has(essence)) return { type: "image_url", image_url: { url: `data:${essence};base64,${base64(bytes)}` } };
  const format = Object.hasOwn(AUDIO, essence) ? AUDIO[essence] : undefined;
  if (format !== undefined) return { type: "input_audio", input_audio: { data: base64(bytes), format } };
  if (essence === PDF)
    return { type: "file", file: { filename: name, file_data: `data:${PDF};base64,${base64(bytes)}` } };
  return { type: "text", text: textOfFile(shown) };
}

export const fileParts = (files: readonly ChatFile[]): Part[] => files.map(filePart);
