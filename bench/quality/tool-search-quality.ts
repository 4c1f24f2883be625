import { readFileSync } from "node:fs";
import { hashEmbedding } from "../../core/embedding/hash-embedding.ts";
import { toolText } from "../../core/mcp/tool-text.ts";
import { keywordsMatch, keywordsOf } from "../../core/search/keywords.ts";
import { scoreOf } from "../../core/search/score.ts";
import { dot } from "../../core/search/vectors.ts";
import { tokenise } from "../../core/search/tokenise.ts";

export interface FixtureTool {
  /** The id, in the form `Server/name`. */
  id: string;
  server: string;
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface ToolQuestion {
  query: string;
  /** Ids of tools. */
  relevant: string[];
}

export interface ToolSearchQuality {
  recall: number;
  ndcg: number;
  misses: string[];
}

const RECALL_AT = 5;
const NDCG_AT = 10;
const LINE = /^([\w.-]+)\(([^)]*)\): (.+)$/;

const linesOf = (file: string) =>
  readFileSync(`${process.cwd()}/bench/quality/fixtures/${file}`, "utf8").trim().split("\n");

/**
 * The tools of the fixture. `= Server` begins a server, and each `name(arguments): description` is one of its tools.
 */
export function fixtureTools(): FixtureTool[] {
  let server = "";
  return linesOf("tools.txt").flatMap(line => {
    if (line.startsWith("= ")) {
      server = line.slice(2);
      return [];
    }
    const [, name = "", args = "", description = ""] = LINE.exec(line) ?? [];
    const names = args.split(", ").filter(arg => arg !== "");
    const properties = Object.fromEntries(names.map(arg => [arg, { type: "string" }]));
    return [{ id: `${server}/${name}`, server, name, description, inputSchema: { type: "object", properties } }];
  });
}

export const toolQuestions = (): ToolQuestion[] =>
  linesOf("tool-questions.txt").map(line => {
    const [query = "", relevant = ""] = line.split(" => ");
    return { query, relevant: relevant.split("; ") };
  });

/** Scores all tools like the service: the cosine of the built-in embedder, with a bonus for matching keywords. */
export function exactToolSearch(): (query: string) => string[] {
  const docs = fixtureTools().map(tool => {
    const text = toolText(tool, tool.server);
    return { id: tool.id, vector: hashEmbedding(text), words: new Set(tokenise(text)) };
  });
  return query => {
    const vector = hashEmbedding(query);
    const keywords = keywordsOf(query);
    const scored = docs.map(doc => {
      const cosine = dot(vector, doc.vector);
      return { id: doc.id, score: scoreOf({ cosine, keyword: keywordsMatch(keywords, doc.words) }) };
    });
    return scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
  };
}

/**
 * Recall at 5 and nDCG at 10, as means over the questions. `search` may be any function that returns ids of tools, best
 * first.
 */
export async function toolSearchQuality(
  search: (query: string) => string[] | Promise<string[]>,
): Promise<ToolSearchQuality> {
  const all = toolQuestions();
  const sum = { recall: 0, ndcg: 0 };
  const misses: string[] = [];
  const gain = (hits: boolean[]) => hits.reduce((total, hit, at) => total + (hit ? 1 / Math.log2(at + 2) : 0), 0);
  for (const { query, relevant } of all) {
    const found = (await search(query)).slice(0, NDCG_AT);
    const near = found.slice(0, RECALL_AT).filter(id => relevant.includes(id));
    sum.recall += near.length / relevant.length;
    sum.ndcg += gain(found.map(id => relevant.includes(id))) / gain(relevant.map(() => true));
    if (near.length < relevant.length)
      misses.push(`${query} → ${found.slice(0, RECALL_AT).join(", ")}, not ${relevant.join(", ")}`);
  }
  return { recall: sum.recall / all.length, ndcg: sum.ndcg / all.length, misses };
}
