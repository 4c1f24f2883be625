/** What every answer says, whatever it holds. */
const COMMON = ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer", "Cache-Control", "no-store"];

const policy = (rules: string) => ["Content-Security-Policy", `default-src 'none'; ${rules}frame-ancestors 'none'`];

/** For what programs read: nothing in it is to be run or shown. */
export const API_HEADERS: readonly string[] = [...COMMON, ...policy("")];

/** For what somebody else has written: a browser gives it an origin of its own, and runs nothing of it. */
export const UNTRUSTED_HEADERS: readonly string[] = [...COMMON, ...policy("sandbox; ")];

/** For a page whose one inline style has this hash. */
export const pageHeaders = (styleHash: string): readonly string[] => [
  ...COMMON,
  ...policy(`style-src '${styleHash}'; base-uri 'none'; form-action 'none'; `),
];

/** Only an answer that went over TLS may ask for TLS from now on. */
export const TLS_HEADERS: readonly string[] = ["Strict-Transport-Security", "max-age=31536000"];
