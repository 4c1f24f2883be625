import { Api } from "./api.ts";
import type * as Described from "./described.ts";

/** Every answer that a test gets has to be as the OpenAPI document describes it. What that takes is loaded with the first. */
Api.check = (method, url, answer) => {
  const { undescribed } = jest.requireActual<typeof Described>("./described.ts");
  const fault = undescribed(method, url, answer);
  if (fault !== undefined) {
    throw new Error(`${method} ${url} is not described: ${fault}\n${answer.status} ${JSON.stringify(answer.body)}`);
  }
};
