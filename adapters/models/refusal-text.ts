const MAX_WORDS = 300;
/** Base64 that is longer than any word. */
const FILE_BYTES = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{100,}={0,2}/g;

/** Extracts a server's own words from a refusal, in the forms of the providers, TEI and FastAPI. */
export function refusalText(text: string): string {
  let words: unknown = text;
  try {
    const body = JSON.parse(text) as { error?: unknown; message?: unknown; detail?: unknown };
    const error = (body.error ?? body) as { message?: unknown };
    words = typeof body.error === "string" ? body.error : (error.message ?? body.message ?? body.detail);
    if (typeof words !== "string") words = text;
  } catch {
    // The error pages of proxies contain nothing useful.
    if (text.trimStart().startsWith("<")) words = "";
  }
  // A server may repeat a file that it refuses.
  return String(words).replace(FILE_BYTES, "…").replace(/\s+/g, " ").slice(0, MAX_WORDS);
}
