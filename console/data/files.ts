import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import type { StoredFile } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { usageQuery } from "./usage.ts";

export type { StoredFile } from "../../sdk/definition.ts";

const PAGE = 50;
const LOOK_MS = 15_000;
/** The most bytes of a text file that a preview shows. */
export const MAX_TEXT_BYTES = 64 * 1_024;
/** Larger pictures get no preview. */
export const MAX_PICTURE_BYTES = 10 * 1_024 * 1_024;

const keyOf = (workspaceId: string) => ["w", workspaceId, "files"] as const;

async function renew(workspaceId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: usageQuery(workspaceId).queryKey });
  await queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });
}

/** The files of a workspace, newest first. */
export const filesQuery = (workspaceId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal, pageParam }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      return Promise.resolve(weft.files.list({ workspaceId, limit: PAGE, ...cursor }, { signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    // Runs create files, and no event reports it.
    refetchInterval: LOOK_MS,
  });

export const useUploadFiles = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ files, onNext }: { files: readonly File[]; onNext: (name: string) => void }) => {
      for (const file of files) {
        onNext(file.name);
        await weft.files.upload({ workspaceId, file });
      }
      return files.length;
    },
    onSettled: () => renew(workspaceId),
  });

export const useRemoveFile = (workspaceId: string) =>
  useMutation({
    mutationFn: async (id: string): Promise<unknown> => weft.files.remove({ workspaceId, id }),
    onSettled: () => renew(workspaceId),
    meta: { shown: true },
  });

/** Returns the bytes of a file. */
export const downloadFile = async (workspaceId: string, id: string): Promise<Blob> =>
  (await weft.files.download({ workspaceId, id })).blob();

export type PreviewKind = "picture" | "text" | "none" | "large";

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const TEXTS = /^text\/|^application\/(json|xml|x-ndjson|yaml)|\+(json|xml)$/;

/**
 * How a file is previewed, by the media type that its sender stated. SVG is shown as text, because it can contain
 * scripts.
 */
export function previewOf({ type, size }: Pick<StoredFile, "type" | "size">): PreviewKind {
  const plain = type.split(";")[0]!.trim().toLowerCase();
  if (PICTURES.has(plain)) return size > MAX_PICTURE_BYTES ? "large" : "picture";
  return TEXTS.test(plain) ? "text" : "none";
}

/** The content of a preview: the address of a picture, or the beginning of a text. */
export const previewQuery = (workspaceId: string, file: StoredFile) =>
  queryOptions({
    queryKey: ["w", workspaceId, "file-preview", file.id],
    queryFn: async ({ signal }): Promise<{ blob?: Blob; text?: string; cut?: boolean }> => {
      const { id, size } = file;
      if (previewOf(file) === "picture") {
        const answer = await weft.files.download({ workspaceId, id }, { signal });
        return { blob: await answer.blob() };
      }
      const cut = size > MAX_TEXT_BYTES;
      const range = cut ? { range: { from: 0, to: MAX_TEXT_BYTES } } : {};
      const answer = await weft.files.download({ workspaceId, id }, { signal, ...range });
      return { text: await answer.text(), cut };
    },
    // The bytes of a file never change.
    staleTime: Infinity,
    gcTime: 60_000,
  });
