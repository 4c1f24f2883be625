import { heightFor } from "../../console/builder/canvas/geometry.ts";
import { guidesOf } from "../../console/builder/canvas/guides.ts";

const step = (x: number, y: number, handles = 1) => ({ x, y, width: 224, height: heightFor(handles) });

describe("the height of a step", () => {
  it("puts the middles of all steps on one line of the grid", () => {
    const offsets = [1, 2, 3, 4, 5, 12].map(handles => (heightFor(handles) - heightFor(1)) / 2);
    expect(offsets.map(offset => offset % 8)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(offsets.slice(0, 2)).toEqual([0, 0]);
  });

  it("is enough for every handle", () => {
    for (const handles of [3, 4, 5, 12]) expect(heightFor(handles) / (handles + 1)).toBeGreaterThanOrEqual(17);
  });
});

describe("the guides of a step that is dragged", () => {
  it("are its middle and its left edge, up to the steps that are aligned with it", () => {
    const moved = step(296, 0);
    expect(guidesOf(moved, [step(0, -16, 3), step(600, 8), step(296, 200)])).toEqual([
      { along: "y", at: 28, from: -16, to: 536 },
      { along: "x", at: 296, from: -16, to: 272 },
    ]);
  });

  it("are absent if no other step is aligned", () => {
    expect(guidesOf(step(0, 0), [step(8, 8), step(300, 64)])).toEqual([]);
  });
});
