import type { McpAuth } from "./port.ts";

/** A shorter one would hide ordinary words. */
const MIN_LENGTH = 8;
const HIDDEN = "[redacted]";

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** As it stands in plain text, in JSON, in JSON that is text in JSON, and in a URL. */
const spellings = (secret: string) => [inJson(inJson(secret)), inJson(secret), secret, encodeURIComponent(secret)];

/**
 * Hides what a server gives back of our own credential: in a message, a description or a result it would be read by
 * people who may not see it. A text that is JSON stays so.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(secret => secret.length >= MIN_LENGTH)
    .flatMap(spellings)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
}

/** What of a credential must be seen nowhere. */
export function secretsOf(auth: McpAuth): string[] {
  switch (auth.type) {
    case "none":
      return [];
    case "api_key":
      return [auth.key];
    case "bearer":
      return [auth.token];
    case "oauth":
      return [auth.accessToken, auth.refreshToken, auth.clientSecret].filter(secret => secret !== undefined);
  }
}
