// A service with one workflow of three steps, on Redis. A POST starts a run and returns its output.
import { createServer } from "node:http";
import process from "node:process";
import { Middleware } from "@moleculer/workflows";
import { ServiceBroker } from "moleculer";

const { REDIS_URL = "", CALLERS = "64" } = process.env;
const broker = new ServiceBroker({
  nodeID: `peer-${process.pid}`,
  logger: { type: "Console", options: { level: "warn" } },
  middlewares: [Middleware({ adapter: REDIS_URL })],
});
broker.createService({
  name: "bench",
  workflows: {
    three: {
      concurrency: Number(CALLERS),
      retention: "1 day",
      async handler(ctx) {
        const first = await ctx.wf.task("transform", () => ({ n: ctx.params.n }));
        const isLarge = await ctx.wf.task("condition", () => first.n > 10);
        return ctx.wf.task("transform", () => (isLarge ? first.n : null));
      },
    },
  },
});

const server = createServer((request, answer) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", part => (body += part));
  request.on("end", () => {
    const run = async () => {
      const job = await broker.wf.run("bench.three", JSON.parse(body));
      return { status: "completed", output: await job.promise() };
    };
    run().then(
      done => answer.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(done)),
      error => answer.writeHead(500).end(String(error)),
    );
  });
});

await broker.start();
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening ${server.address().port}\n`));
