import type { Places } from "./document/index.ts";
import type { Scene } from "./scene.ts";

const GLIDE_MS = 200;

/** Animates steps from their previous places to their current ones. The document does not change. */
export function animateMove(scene: Scene, from: Places): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const to = scene.boxes().own;
  const began = performance.now();
  const move = () => {
    const part = (performance.now() - began) / GLIDE_MS;
    if (part >= 1) return scene.set({ animated: undefined });
    // The remaining part of the way. The movement starts fast and slows down.
    const left = (1 - part) ** 3;
    const gliding = [...from].flatMap(([id, at]) => {
      const end = to.get(id);
      return end ? [[id, { x: end.x + (at.x - end.x) * left, y: end.y + (at.y - end.y) * left }] as const] : [];
    });
    scene.set({ animated: new Map(gliding) });
    requestAnimationFrame(move);
  };
  move();
}
