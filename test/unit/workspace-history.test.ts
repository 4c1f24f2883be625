import { WorkspaceHistory } from "../../services/gateway/events/workspace-history.ts";

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 10, 22) }));
afterEach(() => jest.useRealTimers());

const names = (events: ReturnType<WorkspaceHistory["after"]>) => events?.map(({ event }) => event) ?? null;

test("continues after the last event that a client saw, however many came within a millisecond", () => {
  const history = new WorkspaceHistory();
  const start = history.last;
  const ids = ["a", "b", "c"].map(name => history.add(name, {}).id);
  expect(new Set(ids).size).toBe(3);
  expect(names(history.after(start))).toEqual(["a", "b", "c"]);
  expect(names(history.after(ids[0]!))).toEqual(["b", "c"]);
  expect(names(history.after(ids[2]!))).toEqual([]);
});

test("reports that a client missed more events than the history keeps", () => {
  const history = new WorkspaceHistory();
  const start = history.last;
  const [first, second] = Array.from({ length: 501 }, () => history.add("one", {}).id);
  expect(history.after(start)).toBeNull();
  expect(history.after(first!)).toHaveLength(500);
  history.add("large", { text: "x".repeat(600_000) });
  expect(history.after(second!)).toBeNull();
  expect(names(history.after(history.last))).toEqual([]);
});

test("orders ids of another node by their time, with a margin of some seconds", () => {
  const random = jest.spyOn(Math, "random").mockReturnValueOnce(0.1).mockReturnValueOnce(0.2);
  const [mine, other] = [new WorkspaceHistory(), new WorkspaceHistory()];
  expect(random).toHaveBeenCalledTimes(2);
  expect(mine.after(other.last)).toBeNull();
  mine.add("early", {});
  jest.advanceTimersByTime(60_000);
  const seen = other.add("seen there", {});
  mine.add("seen here", {});
  jest.advanceTimersByTime(1_000);
  mine.add("new", {});
  expect(names(mine.after(seen.id))).toEqual(["seen here", "new"]);
  expect(mine.after(seen.id + 3_600_000_000)).toBeNull();
});
