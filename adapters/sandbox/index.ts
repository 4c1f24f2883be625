export { type CodeLog, SandboxError, type SandboxErrorCode } from "../../core/code/sandbox-error.ts";
export { type CodeResult, type CodeRun, createSandbox, type Sandbox } from "./sandbox.ts";
