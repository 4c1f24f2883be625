const TEMPLATES = /^\/w\/([^/]+)\/templates(?:\/([^/]+))?\/?$/;

/** The place in the paths of templates, which need no sign-in. Undefined for pages that need one. */
export function templatesAt(path: string): { w: string; id: string | undefined } | undefined {
  const [, w, id] = TEMPLATES.exec(path) ?? [];
  return w === undefined ? undefined : { w: decodeURIComponent(w), id: id && decodeURIComponent(id) };
}
