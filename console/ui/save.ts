/** Lets the user save bytes as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** Lets the user save a text as a file. */
export const save = (text: string, name: string, type: string): void => saveBlob(new Blob([text], { type }), name);
