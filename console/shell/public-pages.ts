const TEMPLATES = /^\/w\/([^/]+)\/templates(?:\/([^/]+))?\/?$/;

/** Where templates are shown, which need no sign-in. Undefined for pages of the signed-in. */
export function templatesAt(path: string): { w: string; id: string | undefined } | undefined {
  const [, w, id] = TEMPLATES.exec(path) ?? [];
  return w === undefined ? undefined : { w: decodeURIComponent(w), id: id && decodeURIComponent(id) };
}
