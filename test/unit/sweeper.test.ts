import { startSweeper } from "../../service-kit/sweeper.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A run that ends when it is told to. */
function controlled() {
  const ends: ((error?: Error) => void)[] = [];
  const run = jest.fn(() => new Promise<void>((resolve, reject) => ends.push(e => (e ? reject(e) : resolve()))));
  return { run, end: async (error?: Error) => (ends.shift()!(error), await jest.advanceTimersByTimeAsync(0)) };
}

test("runs soon after the start and then repeatedly, never twice at once", async () => {
  const { run, end } = controlled();
  const sweeper = startSweeper(run, 15_000, () => undefined);
  await jest.advanceTimersByTimeAsync(1_500);
  expect(run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(1);
  await end();
  await jest.advanceTimersByTimeAsync(11_000);
  expect(run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(8_000);
  expect(run).toHaveBeenCalledTimes(2);
  await end();
  await sweeper.stop();
});

test("runs once more after the current run if it is requested meanwhile, however often", async () => {
  const { run, end } = controlled();
  const sweeper = startSweeper(run, 15_000, () => undefined);
  sweeper.soon();
  sweeper.soon();
  sweeper.soon();
  expect(run).toHaveBeenCalledTimes(1);
  await end();
  expect(run).toHaveBeenCalledTimes(2);
  await end();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  await sweeper.stop();
});

test("runs when the sweep said that there is work again, and no later than usual", async () => {
  const dueInMs = [100, 1_000_000, undefined];
  const run = jest.fn(() => Promise.resolve(dueInMs.shift()));
  const sweeper = startSweeper(run, 15_000, () => undefined);
  sweeper.soon();
  await jest.advanceTimersByTimeAsync(99);
  expect(run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await jest.advanceTimersByTimeAsync(20_000);
  expect(run).toHaveBeenCalledTimes(3);
  await sweeper.stop();
});

test("logs a failed sweep, and runs the next one", async () => {
  const { run, end } = controlled();
  const failed = jest.fn();
  const sweeper = startSweeper(run, 15_000, failed);
  sweeper.soon();
  await end(new Error("no"));
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ message: "no" }));
  await jest.advanceTimersByTimeAsync(20_000);
  expect(run).toHaveBeenCalledTimes(2);
  await end();
  await sweeper.stop();
});

test("waits for the current run at a stop, and starts nothing after it", async () => {
  const { run, end } = controlled();
  const sweeper = startSweeper(run, 15_000, () => undefined);
  sweeper.soon();
  let stopped = false;
  const stopping = sweeper.stop().then(() => (stopped = true));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stopped).toBe(false);
  await end();
  await stopping;
  sweeper.soon();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(1);
});
