/** Whether an address names an S3-compatible store with its bucket and keys. */
export function isS3Address(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, pathname, username, password } = new URL(address);
  return hostname !== "" && username !== "" && password !== "" && /^\/[^/]/.test(pathname);
}
