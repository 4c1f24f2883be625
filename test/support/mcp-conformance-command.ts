/**
 * The command that the official suite runs for each scenario, with the address of its server as the argument. It
 * forwards the task to the process at WEFT_CONFORMANCE_URL, and ends with its result. Two dozen processes with the
 * whole client in each would take longer than all that they test.
 */
async function main(): Promise<void> {
  const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
  const task = { scenario, url: process.argv.at(-1), context: JSON.parse(context) as unknown };
  const answer = await fetch(process.env.WEFT_CONFORMANCE_URL ?? "", { method: "POST", body: JSON.stringify(task) });
  if (answer.ok) return;
  process.stderr.write(`${await answer.text()}\n`);
  process.exitCode = 1;
}

void main();
