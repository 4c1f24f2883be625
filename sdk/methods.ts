// `npm run sdk` replaces this file by an interface that documents every method.
import type { Tree } from "./method.ts";

/** The methods of the client, one for each call. */
export type Methods = Tree;
