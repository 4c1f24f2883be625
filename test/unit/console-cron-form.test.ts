import fc from "fast-check";
import { cronOf, EMPTY, EVERY_MINUTES, formOf, RHYTHMS } from "../../console/pages/schedules/cron-form.ts";

it.each([
  ["*/15 * * * *", { rhythm: "minutes", every: 15 }],
  ["30 * * * *", { rhythm: "hours", time: "00:30" }],
  ["5 9 * * *", { rhythm: "days", time: "09:05" }],
  ["0 18 * * 1-5", { rhythm: "weekdays", time: "18:00" }],
  ["0 8 * * 0", { rhythm: "weeks", time: "08:00", weekday: 0 }],
  ["0 8 31 * *", { rhythm: "months", time: "08:00", day: 31 }],
  ["*/7 * * * *", { rhythm: "custom" }],
  ["0 9 * jan mon", { rhythm: "custom", text: "0 9 * jan mon" }],
])("shows the expression %s in words", (text, shown) => {
  expect(formOf(text)).toMatchObject(shown);
  expect(cronOf(formOf(text))).toBe(text);
});

it("writes each choice as an expression, and reads the same choice back", () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map(n => String(n).padStart(2, "0"));
  const forms = fc.record({
    rhythm: fc.constantFrom(...RHYTHMS),
    every: fc.constantFrom(...EVERY_MINUTES),
    time: fc.tuple(two(23), two(59)).map(([hour, minute]) => `${hour}:${minute}`),
    weekday: fc.integer({ min: 0, max: 6 }),
    day: fc.integer({ min: 1, max: 31 }),
    text: fc.constant("0 9 * jan mon"),
  });
  fc.assert(
    fc.property(forms, form => {
      const text = cronOf(form);
      const shown = formOf(text);
      expect(shown.rhythm).toBe(form.rhythm);
      expect(cronOf({ ...EMPTY, ...shown })).toBe(text);
    }),
  );
});
