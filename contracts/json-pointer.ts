/** A JSON Pointer (RFC 6901) to the value that these keys lead to: `/nodes/2/data/url`; empty for the whole. */
export const jsonPointer = (keys: readonly PropertyKey[]): string => keys.map(key => `/${pointerToken(key)}`).join("");

/** One key as it stands in a pointer. */
export const pointerToken = (key: PropertyKey): string => String(key).replaceAll("~", "~0").replaceAll("/", "~1");
