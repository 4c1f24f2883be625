import { useViewOf } from "./canvas/use-view.ts";
import type { Scene } from "./scene.ts";

/** Announces to screen readers what was done. */
export function Announcer({ scene }: { scene: Scene }) {
  return (
    <div className="visually-hidden" role="status" id="builder-said">
      {useViewOf(scene, view => view.announcement)}
    </div>
  );
}
