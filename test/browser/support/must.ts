import type { Answer, Json } from "../../support/api.ts";

/** The body of an answer to a request that must succeed. */
export async function must(answer: Promise<Answer>): Promise<Json> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`Seeding was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
