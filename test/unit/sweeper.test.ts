import { startSweeper } from "../../service-kit/sweeper.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A run that ends when it is told to. */
function controlled() {
  const ends: ((error?: Error) => void)[] = [];
  const run = jest.fn(() => new Promise<void>((resolve, reject) => ends.push(e => (e ? reject(e) : resolve()))));
  return { run, end: async (error?: Error) => (ends.shift()!(error), await jest.advanceTimersByTimeAsync(0)) };
}

test("a sweep runs soon after the start and then again and again, never twice at once", async () => {
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

test("asking during a run gives one more run after it, however often it is asked", async () => {
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

test("a sweep that knows when there is work again runs then, and no later than usual", async () => {
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

test("a failed sweep is logged, and the next one runs", async () => {
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

test("a stop waits for the run under way and nothing begins after it", async () => {
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
