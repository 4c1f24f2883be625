import { isObject } from "../json.ts";

const MAX_URL = 2_048;

/** The address of the first usable server of a list, with the defaults of its variables; null if no server is usable. */
export function serverOf(servers: unknown, base: string | null): string | null {
  if (!Array.isArray(servers)) return null;
  for (const server of servers.slice(0, 20)) {
    if (!isObject(server) || typeof server.url !== "string") continue;
    const variables = isObject(server.variables) ? server.variables : {};
    const address = server.url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      const preset = isObject(variable) ? variable.default : undefined;
      return typeof preset === "string" || typeof preset === "number" ? String(preset) : whole;
    });
    const url = URL.parse(address, base ?? undefined);
    const usable = url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
    if (usable && url.href.length <= MAX_URL && !/[{}]|%7B/i.test(url.href)) return url.href;
  }
  return null;
}
