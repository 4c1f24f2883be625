import { freeSide } from "../../console/builder/canvas/bar-place.ts";
import { fitsStep } from "../../console/run/graph/fits.ts";

describe("the bar of the selected steps", () => {
  const box = (x: number, y: number, width = 224, height = 56) => ({ x, y, width, height });
  const sideOf = (others: Record<string, ReturnType<typeof box>>, zoom = 1, ground?: string) => {
    const boxes = new Map(Object.entries({ own: box(0, 100), ...others }));
    const frameOf = (id: string) => (id === ground ? "ground" : id.startsWith("map") ? "container" : undefined);
    return freeSide(boxes, new Set(["own"]), frameOf, zoom);
  };

  it("is above them, or below if it would cover another step", () => {
    expect(sideOf({})).toBe("above");
    expect(sideOf({ other: box(304, 100) })).toBe("above");
    expect(sideOf({ other: box(0, 8) })).toBe("below");
    expect(sideOf({ other: box(0, 8), another: box(0, 190) })).toBe("above");
  });

  it("covers more steps at a smaller zoom", () => {
    expect(sideOf({ other: box(0, -20) })).toBe("above");
    expect(sideOf({ other: box(0, -20) }, 0.5)).toBe("below");
  });

  it("leaves the header of a container free, unless the container fills the canvas", () => {
    const map = box(-20, 48, 300, 200);
    expect(sideOf({ map })).toBe("below");
    expect(sideOf({ map }, 1, "map")).toBe("above");
    expect(sideOf({ map: box(-20, -200, 300, 600) })).toBe("above");
  });
});

test("does not cut names that fit into a step, and icons leave less space for names", () => {
  expect(["HTTP request", "Check the order", "Zahlung prüfen"].every(name => fitsStep(name, 0))).toBe(true);
  expect(fitsStep("Check the order", 2)).toBe(false);
  expect(fitsStep("Tell the customer about the delay", 0)).toBe(false);
  expect(fitsStep("注文を確認する方法を選ぶ", 0)).toBe(false);
});
