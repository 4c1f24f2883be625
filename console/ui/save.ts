/** Offers bytes as a file to save. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** Offers a text as a file to save. */
export const save = (text: string, name: string, type: string): void => saveBlob(new Blob([text], { type }), name);
