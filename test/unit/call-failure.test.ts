import { AppError } from "../../contracts/errors.ts";
import { callFailure } from "../../services/executions/engine/steps/call-failure.ts";

const fault = { path: "/userId", message: "is too long" };
/** As it comes from another node: without its class. */
const lost = (type: string) => ({ name: "Error", type, message: "Service 'memory.steps.search' …", data: {} });

test.each([
  [new AppError("validation_failed", { errors: [fault] }), "invalid_data", "/data/userId: is too long", false],
  [new AppError("limit_reached"), "limit_reached", "Limit reached", false],
  [new AppError("not_found", { detail: "No such base." }), "not_found", "No such base.", false],
  [new AppError("unavailable", { detail: "The node stops." }), "unavailable", "The node stops.", true],
  [
    new AppError("unavailable"),
    "unavailable",
    "The memory service is not available: what it depends on does not answer.",
    true,
  ],
  [new AppError("rate_limited"), "rate_limited", "Too many requests", true],
  [lost("REQUEST_TIMEOUT"), "unavailable", "The memory service did not answer in time.", true],
  [lost("SERVICE_NOT_FOUND"), "unavailable", "The memory service runs on no node.", true],
  [new TypeError("x is not a function"), "unavailable", "The memory service failed: x is not a function", true],
])("reports %s unchanged", (error, code, message, retryable) => {
  expect(callFailure(error, "The memory service")).toEqual({ code, message, retryable });
});
