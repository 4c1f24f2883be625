// `npm run sdk` replaces this file by an interface in which every method has its documentation.
import type { Tree } from "./method.ts";

/** The methods of the client, one for each call. */
export type Methods = Tree;
