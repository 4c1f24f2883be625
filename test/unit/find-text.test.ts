import { findText } from "../../core/run/find-text.ts";

const found = (value: unknown, wanted: string) => [...findText(value, wanted)].filter(one => one !== null);
const pointers = (value: unknown, wanted: string) => found(value, wanted).map(({ pointer }) => pointer);

it("finds texts, numbers, booleans and names of fields, in any case", () => {
  const value = {
    order: { Id: 4711, note: "Order 4711 is late" },
    list: [true, null, ["ORDER"]],
    "a/b~": { order: 0 },
  };
  expect(pointers(value, "4711")).toEqual(["/order/Id", "/order/note"]);
  expect(pointers(value, "order")).toEqual(["/order", "/order/note", "/list/2/0", "/a~1b~0/order"]);
  expect(pointers(value, "true")).toEqual(["/list/0"]);
  expect(pointers(value, "null")).toEqual([]);
  expect(pointers("order", "order")).toEqual([""]);
  expect(pointers([], "order")).toEqual([]);
});

it("shows the text around a match, and cuts no character in two", () => {
  const [one] = found(`${"😀".repeat(100)}x needle y${"😀".repeat(100)}`, "needle");
  expect(one!.excerpt).toMatch(/^…(😀)+x needle y(😀)+…$/u);
  expect(one!.excerpt.length).toBeLessThan(140);
});

it("yields to the event loop in large values, also without a match", () => {
  const rests = [...findText(new Array(10_000).fill("x"), "needle")];
  expect(rests).toEqual([null, null, null, null, null]);
});

it("accepts values as deep as the API allows", () => {
  let value: unknown = "needle";
  for (let depth = 0; depth < 200; depth++) value = [value];
  expect(pointers(value, "needle")).toEqual(["/0".repeat(200)]);
});
