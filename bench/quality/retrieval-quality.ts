import { readFileSync } from "node:fs";
import { hashEmbedding } from "../../core/embedding/hash-embedding.ts";
import { stem } from "../../core/embedding/stem.ts";
import { embeddingTokens, isFunctionWord } from "../../core/embedding/tokens.ts";

export interface Passage {
  id: string;
  content: string;
}

export interface RetrievalQuery {
  query: string;
  /** Ids of passages. */
  relevant: string[];
}

export interface RetrievalQuality {
  /** Means over the questions, at rank 10. */
  ndcg: number;
  recall: number;
}

/** The score that a match of all keywords adds to the cosine. */
const KEYWORDS = 0.2;
const TOP = 10;
/** The usual constants of BM25. */
const K1 = 1.2;
const B = 0.75;

const linesOf = <T>(file: string): T[] =>
  readFileSync(`${process.cwd()}/bench/quality/fixtures/${file}`, "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line) as T);

export const passages = (): Passage[] => linesOf("passages.jsonl");
export const questions = (): RetrievalQuery[] => linesOf("questions.jsonl");

const termsOf = (text: string) =>
  embeddingTokens(text)
    .filter(word => !isFunctionWord(word))
    .map(stem);
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** nDCG and recall at 10. `search` may be any function that returns ids, best first. */
export async function measure(search: (query: string) => string[] | Promise<string[]>): Promise<RetrievalQuality> {
  const all = questions();
  const sum = { ndcg: 0, recall: 0 };
  for (const { query, relevant } of all) {
    const found = (await search(query)).slice(0, TOP);
    const gain = (hits: boolean[]) => hits.reduce((total, hit, at) => total + (hit ? 1 / Math.log2(at + 2) : 0), 0);
    sum.ndcg += gain(found.map(id => relevant.includes(id))) / gain(relevant.map(() => true));
    sum.recall += found.filter(id => relevant.includes(id)).length / relevant.length;
  }
  return { ndcg: sum.ndcg / all.length, recall: sum.recall / all.length };
}

/** Exact searches in memory by keywords (BM25), by the built-in embedder, and by both. */
export function exactSearches(): Record<"keyword" | "vector" | "hybrid", (query: string) => string[]> {
  const docs = passages().map(({ id, content }) => ({ id, terms: termsOf(content), vector: hashEmbedding(content) }));
  const meanLength = docs.reduce((sum, { terms }) => sum + terms.length, 0) / docs.length;
  const holding = (term: string) => docs.filter(({ terms }) => terms.includes(term)).length;
  const idf = (term: string) => Math.log(1 + (docs.length - holding(term) + 0.5) / (holding(term) + 0.5));
  type Doc = (typeof docs)[number];

  const ranked = (score: (doc: Doc) => number) =>
    docs
      .map(doc => ({ id: doc.id, score: score(doc) }))
      .filter(one => one.score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);

  const bm25 = (query: string) => {
    const weights = [...new Set(termsOf(query))].map(term => ({ term, weight: idf(term) }));
    return ({ terms }: Doc) =>
      weights.reduce((sum, { term, weight }) => {
        const count = terms.filter(one => one === term).length;
        return sum + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * terms.length) / meanLength));
      }, 0);
  };
  const near = (query: string) => {
    const vector = hashEmbedding(query);
    return (doc: Doc) => cosine(vector, doc.vector);
  };
  return {
    keyword: query => ranked(bm25(query)),
    vector: query => ranked(near(query)),
    hybrid: query => {
      const [keywords, meaning] = [bm25(query), near(query)];
      const best = Math.max(...docs.map(keywords)) || 1;
      return ranked(doc => meaning(doc) + (KEYWORDS * keywords(doc)) / best);
    },
  };
}
