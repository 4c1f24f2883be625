import { JobDocs } from "../adapters/jobs/job-documents.ts";
import { searchWords } from "../adapters/search/word-mirror.ts";
import type { CollectionSpec } from "../adapters/store/port.ts";

/**
 * Collections that Weft creates anew when they are missing: the turns of its periodic jobs, and the words of the search
 * index.
 */
export const DERIVED: readonly CollectionSpec[] = [JobDocs, searchWords];
