import { DocumentError } from "../../../adapters/documents/index.ts";
import { MAX_PART_BYTES } from "../../../contracts/actions/knowledge.ts";
import { timeOfId } from "../../../core/id-time.ts";
import { derivedId } from "../../../service-kit/derived-id.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { fileParts, type ImportDoc, type PartDoc } from "../model.ts";

const PART_CHARS = (MAX_PART_BYTES / 3) * 4;
/** The number of parts that are read together. */
const READ = 16;
/** A file has fewer parts. This is only a bound for the loop. */
const MAX_READS = 1_000;

type File = Pick<PartDoc, "workspaceId" | "knowledgeBaseId" | "fileId">;

/** The same part always has the same id, so repeated writes are harmless. */
export const partOf = ({ workspaceId, knowledgeBaseId, fileId }: File, place: number, base64: string): PartDoc => ({
  id: derivedId(timeOfId(fileId), `${fileId} ${place}`),
  ...{ workspaceId, knowledgeBaseId, fileId, place, base64 },
});

/** The parts of a file that arrived as a whole. */
export const partsOf = (file: File, base64: string): PartDoc[] =>
  Array.from({ length: Math.ceil(base64.length / PART_CHARS) }, (_, place) =>
    partOf(file, place, base64.slice(place * PART_CHARS, (place + 1) * PART_CHARS)),
  );

/** @throws {DocumentError} when parts of the file are missing */
export async function readFile({ store }: WithStore, { workspaceId, fileId, bytes }: ImportDoc): Promise<Buffer> {
  const all = store.tenant(fileParts, workspaceId);
  const read: Buffer[] = [];
  let after: string | null = null;
  for (let reads = 0; reads < MAX_READS; reads++) {
    const page: { items: PartDoc[]; next: string | null } = await all.find(
      { fileId },
      { sort: { place: 1 }, limit: READ, after },
    );
    read.push(...page.items.map(({ base64 }) => Buffer.from(base64, "base64")));
    if (page.next === null) break;
    after = page.next;
  }
  const file = Buffer.concat(read);
  if (file.length !== bytes) throw new DocumentError("file_unreadable", "The file no longer exists.");
  return file;
}
