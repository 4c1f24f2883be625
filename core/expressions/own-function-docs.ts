/** The functions that Weft adds to JSONata: signature, description, and an example with its value. */
export const OWN_FUNCTION_DOCS: readonly (readonly [
  signature: string,
  docs: string,
  expression: string,
  value: unknown,
])[] = [
  [
    "$hash(value, algorithm?, encoding?)",
    "A hash of text, or of any value as JSON: `md5`, `sha1`, `sha256` (default), `sha384` or `sha512`, as `hex` (default), `base64` or `base64url`.",
    '$hash("weft", "md5")',
    "e153e1f0af33f12922976c5d0d2ee47b",
  ],
  [
    "$hmac(value, key, algorithm?, encoding?)",
    "The keyed hash (HMAC) of text, or of any value as JSON, with the same algorithms and encodings as `$hash`.",
    '$length($hmac("weft", "key"))',
    64,
  ],
  [
    "$uuid()",
    "A UUID. An attempt of a step always gets the same one, and each call in it another one.",
    "$length($uuid())",
    36,
  ],
  [
    "$jwtDecode(token)",
    "The `header` and the `payload` of a JSON Web Token. The signature is not checked.",
    '$jwtDecode("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.").payload.sub',
    "ada",
  ],
  [
    "$parseDate(text, format?, timezone?)",
    "The time that text shows in this format, in ISO 8601. The time zone counts where the text has no offset.",
    '$parseDate("24.12.2026 18:30", "dd.MM.yyyy HH:mm", "Europe/Berlin")',
    "2026-12-24T17:30:00.000Z",
  ],
  [
    "$formatDate(time, format, timezone?)",
    "The time, in ISO 8601 or in milliseconds, as text in this format.",
    '$formatDate("2026-12-24T17:30:00Z", "EEE d MMM yyyy, HH:mm", "Europe/Berlin")',
    "Thu 24 Dec 2026, 18:30",
  ],
  [
    "$addTime(time, amount, unit, timezone?)",
    "The time that is so many `seconds`, `minutes`, `hours`, `days`, `weeks`, `months` or `years` later, in ISO 8601. Days and longer units count by the calendar of the time zone.",
    '$addTime("2026-01-31T12:00:00Z", 1, "month")',
    "2026-02-28T12:00:00.000Z",
  ],
  [
    "$resumeUrl(nodeId)",
    "An address for the `wait` step with this id: a POST to it ends the wait of this run, once.",
    '$contains($resumeUrl("payment"), "/v1/resume/")',
    true,
  ],
  [
    "$url(address, base?)",
    "The parts of an address: `href`, `origin`, `protocol`, `host`, `hostname`, `port`, `path`, `query` and `hash`.",
    '$url("https://example.com/a?b=1").query.b',
    "1",
  ],
  [
    "$csv(value, options?)",
    "The rows of CSV text as objects, or a list of objects as CSV text. Options: `delimiter`, and `header: false` for rows that are lists.",
    '$csv("name,age\\nAda,36").name',
    "Ada",
  ],
];
