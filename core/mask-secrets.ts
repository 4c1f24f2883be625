/** Masking shorter secrets would hide ordinary words. */
const MIN_LENGTH = 8;
const HIDDEN = "[redacted]";

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** A secret's spellings in JSON that is text in JSON, in JSON, in plain text, and in a URL. */
const spellings = (secret: string) => [inJson(inJson(secret)), inJson(secret), secret, encodeURIComponent(secret)];

/**
 * Replaces our own credentials in a text that comes from outside: a message, a description, a result. Users who may not see
 * the credentials can read such a text. A text that is JSON stays valid JSON.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(secret => secret.length >= MIN_LENGTH)
    .flatMap(spellings)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
}
