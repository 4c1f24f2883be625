import { Api } from "./api.ts";
import { undescribed } from "./shared.ts";

/** Checks every response of a test against the OpenAPI document. The validator is loaded for the first response. */
Api.check = async (method, url, answer) => {
  const fault = await undescribed(method, url, answer);
  if (fault !== undefined) {
    throw new Error(`${method} ${url} is not described: ${fault}\n${answer.status} ${JSON.stringify(answer.body)}`);
  }
};
