/** A shorter one would hide ordinary words. */
const MIN_LENGTH = 8;
const HIDDEN = "[redacted]";

/**
 * Hides what a server gives back of our own credential: in a message, a description or a result it would be read by
 * people who may not see it. With `inJson`, `text` is a JSON document and stays one.
 */
export function maskSecrets(text: string, secrets: readonly string[], inJson = false): string {
  return secrets
    .filter(secret => secret.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(inJson ? JSON.stringify(secret).slice(1, -1) : secret, HIDDEN), text);
}
