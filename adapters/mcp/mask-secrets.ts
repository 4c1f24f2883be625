import type { McpAuth } from "./port.ts";

/** Masking shorter secrets would hide ordinary words. */
const MIN_LENGTH = 8;
const HIDDEN = "[redacted]";

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** A secret's spellings in JSON that is text in JSON, in JSON, in plain text, and in a URL. */
const spellings = (secret: string) => [inJson(inJson(secret)), inJson(secret), secret, encodeURIComponent(secret)];

/**
 * Hides our own credential in what a server returns. In a message, a description or a result, people could read it who
 * may not see it. A text that is JSON stays valid JSON.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(secret => secret.length >= MIN_LENGTH)
    .flatMap(spellings)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
}

/** The parts of a credential that must not appear in any output. */
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
