/** Headers of every response, whatever its content. */
const ALWAYS = ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer"];
const COMMON = [...ALWAYS, "Cache-Control", "no-store"];

const policy = (rules: string) => ["Content-Security-Policy", `default-src 'none'; ${rules}frame-ancestors 'none'`];

/** For data that programs read: browsers must not run or display any of it. */
export const API_HEADERS: readonly string[] = [...COMMON, ...policy("")];

/**
 * Like API_HEADERS, for data that never changes. A browser caches it for the token that requested it. Another account
 * in the same browser must not get it without a check.
 */
export const LASTING_HEADERS: readonly string[] = [
  ...ALWAYS,
  ...["Cache-Control", "private, max-age=31536000, immutable"],
  ...["Vary", "Authorization"],
  ...policy(""),
];

/** For content that users wrote: the browser gives it an origin of its own and runs no scripts in it. */
export const UNTRUSTED_HEADERS: readonly string[] = [...COMMON, ...policy("sandbox; ")];

/**
 * For a page that a person opens by a secret address. It runs no script, loads nothing, has one style, identified by
 * this SHA-256, and sends its form only to its own origin. Search engines do not index it.
 */
export const personPageHeaders = (styleHash: string): readonly string[] => [
  ...COMMON,
  ...policy(`style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; `),
  ...["X-Robots-Tag", "noindex, nofollow"],
];

/**
 * For Weft's own pages: they load scripts, styles and images from this origin alone and contain no inline ones. Each
 * page sets its own caching.
 */
export const PAGE_HEADERS: readonly string[] = [
  ...ALWAYS,
  ...policy(
    "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
      "require-trusted-types-for 'script'; ",
  ),
];

/**
 * For the console. It also loads images that it creates itself, and workers whose addresses come from its only Trusted
 * Types policy. React, Base UI and the editor set styles through the CSSOM, which `style-src` does not restrict.
 */
export const CONSOLE_HEADERS: readonly string[] = [
  ...ALWAYS,
  "Content-Security-Policy",
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types weft",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "Permissions-Policy",
  "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
];

/** Cache-Control of a public file. A browser keeps an immutable file, and revalidates any other each time. */
export const cacheControl = (immutable: boolean): string =>
  immutable ? "public, max-age=31536000, immutable" : "no-cache";

/** For event streams of an API. The last header stops proxies of the nginx family from buffering events. */
export const STREAM_HEADERS: readonly string[] = [
  ...API_HEADERS,
  ...["Content-Type", "text/event-stream"],
  ...["X-Accel-Buffering", "no"],
];

/** Only a response over TLS may demand TLS for the future. */
export const TLS_HEADERS: readonly string[] = ["Strict-Transport-Security", "max-age=31536000"];
