import type { Places } from "./document/index.ts";
import type { Scene } from "./scene.ts";

const GLIDE_MS = 200;

/** Lets steps glide from where they were to where they are by now. The document is not touched. */
export function glide(scene: Scene, from: Places): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const to = scene.boxes().own;
  const began = performance.now();
  const move = () => {
    const part = (performance.now() - began) / GLIDE_MS;
    if (part >= 1) return scene.set({ gliding: undefined });
    // The way that is left: fast at first, and slow at the end.
    const left = (1 - part) ** 3;
    const gliding = [...from].flatMap(([id, at]) => {
      const end = to.get(id);
      return end ? [[id, { x: end.x + (at.x - end.x) * left, y: end.y + (at.y - end.y) * left }] as const] : [];
    });
    scene.set({ gliding: new Map(gliding) });
    requestAnimationFrame(move);
  };
  move();
}
