import { type Search, textIn } from "../../search.ts";

export interface PlaygroundSearch {
  /** The id of the workflow that answers. */
  flow?: string | undefined;
  talk?: string | undefined;
}

export const playgroundSearch = (search: Search): PlaygroundSearch => ({
  flow: textIn(search, "flow"),
  talk: textIn(search, "talk"),
});
