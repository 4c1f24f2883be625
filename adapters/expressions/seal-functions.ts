import jsonata from "jsonata";

const NAMES = (
  "sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad " +
  "match contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs " +
  "sqrt power random boolean not map zip filter single reduce sift keys lookup append exists spread merge reverse each " +
  "error assert type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent " +
  "decodeUrl eval toMillis fromMillis clone"
).split(" ");

function freezeDeep(value: unknown): void {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeDeep(part);
}

/**
 * Makes JSONata's built-in functions of this process immutable. All expressions share these objects, and a transform
 * whose pattern matches one (`{} ~> |$sum|{"implementation": …}|`) writes to it: an expression of one workspace could
 * change the results of another workspace. JSONata itself sets `token` and `position` at each call, so these two stay
 * writable.
 */
export async function sealFunctions(): Promise<void> {
  for (const name of NAMES) {
    const definition: unknown = await jsonata(`$${name}`).evaluate({});
    if (typeof definition !== "object" || definition === null) throw new Error(`JSONata has no function $${name}`);
    for (const part of Object.values(definition)) freezeDeep(part);
    for (const key of Object.keys(definition)) {
      Object.defineProperty(definition, key, { writable: false, configurable: false });
    }
    for (const note of ["token", "position"]) {
      Object.defineProperty(definition, note, { value: undefined, writable: true, enumerable: false });
    }
    Object.preventExtensions(definition);
  }
}
