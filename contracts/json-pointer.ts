/** A JSON Pointer (RFC 6901) from keys: `/nodes/2/data/url`. An empty pointer means the whole value. */
export const jsonPointer = (keys: readonly PropertyKey[]): string => keys.map(key => `/${pointerToken(key)}`).join("");

/** One key, escaped for a pointer. */
export const pointerToken = (key: PropertyKey): string => String(key).replaceAll("~", "~0").replaceAll("/", "~1");
