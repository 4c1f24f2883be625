/**
 * Whether an If-Match header allows a change (RFC 9110, section 13.1.1): the header is `*` or contains this strong tag.
 * Weak tags never match. The tags of this API contain no comma.
 */
export function matchesTag(ifMatch: string, tag: string): boolean {
  return ifMatch.split(",").some(part => part.trim() === "*" || part.trim() === tag);
}

/** The version in an entity tag of a workflow, or the change counter in the tag of another resource. */
const VERSION = /^"(\d+)-[^"]*"$/;

/** Whether an If-Match header names a state with this version, or is `*`. */
export const matchesVersion = (ifMatch: string, version: number): boolean =>
  ifMatch.split(",").some(part => part.trim() === "*" || VERSION.exec(part.trim())?.[1] === `${version}`);
