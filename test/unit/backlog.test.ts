import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Backlog } from "../../services/gateway/http/backlog.ts";

const client = () => new ServerResponse(new IncomingMessage(new Socket()));

test("disconnects the reader that has not read for longest", () => {
  const backlog = new Backlog(100);
  const [first, second, third] = [client(), client(), client()] as const;
  backlog.hold(first, 40);
  backlog.hold(second, 40);
  // It took what it had, and waits for more.
  backlog.hold(first, 50);
  expect([first.destroyed, second.destroyed, backlog.bytes]).toEqual([false, false, 90]);
  backlog.hold(third, 30);
  expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([false, true, false]);
  expect(backlog.bytes).toBe(80);
});

test("subtracts data that was read once", () => {
  const backlog = new Backlog(100);
  const [first, second] = [client(), client()] as const;
  backlog.hold(first, 90);
  backlog.release(first);
  backlog.release(first);
  backlog.hold(second, 100);
  expect([first.destroyed, second.destroyed, backlog.bytes]).toEqual([false, false, 100]);
});

test("disconnects a reader at once if its own backlog exceeds the limit", () => {
  const backlog = new Backlog(100);
  const one = client();
  backlog.hold(one, 101);
  expect([one.destroyed, backlog.bytes]).toEqual([true, 0]);
});
