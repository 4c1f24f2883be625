/** What every answer says, whatever it holds. */
const ALWAYS = ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer"];
const COMMON = [...ALWAYS, "Cache-Control", "no-store"];

const policy = (rules: string) => ["Content-Security-Policy", `default-src 'none'; ${rules}frame-ancestors 'none'`];

/** For what programs read: nothing in it is to be run or shown. */
export const API_HEADERS: readonly string[] = [...COMMON, ...policy("")];

/** For what somebody else has written: a browser gives it an origin of its own, and runs nothing of it. */
export const UNTRUSTED_HEADERS: readonly string[] = [...COMMON, ...policy("sandbox; ")];

/** For pages of our own: they load scripts, styles and images from here alone, and hold none inline. They say themselves how long they are kept. */
export const PAGE_HEADERS: readonly string[] = [
  ...ALWAYS,
  ...policy(
    "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
      "require-trusted-types-for 'script'; ",
  ),
];

/** Only an answer that went over TLS may ask for TLS from now on. */
export const TLS_HEADERS: readonly string[] = ["Strict-Transport-Security", "max-age=31536000"];
