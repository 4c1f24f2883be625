import { Api } from "./api.ts";
import { undescribed } from "./shared.ts";

/** Every answer that a test gets has to be as the OpenAPI document describes it. What that takes is loaded with the first. */
Api.check = async (method, url, answer) => {
  const fault = await undescribed(method, url, answer);
  if (fault !== undefined) {
    throw new Error(`${method} ${url} is not described: ${fault}\n${answer.status} ${JSON.stringify(answer.body)}`);
  }
};
