import { words } from "../messages/en-builder.ts";
import { Picker } from "../ui/picker.tsx";
import { connectSteps } from "./actions.ts";
import { connectableAncestors } from "./document/connectable-ancestors.ts";
import { nameOf, useDocument } from "./document/index.ts";
import type { PromptRequest, Scene } from "./scene.ts";

/** Shown when an edge would cross the border of a container. It offers the edges beside it that do not. */
export function LevelPrompt({
  scene,
  asked,
  onClose,
}: {
  scene: Scene;
  asked: PromptRequest & { kind: "level" };
  onClose: () => void;
}) {
  const state = useDocument(scene.doc);
  const offered = connectableAncestors(state, asked, scene.startsRun);
  const items = offered.map(({ source, handle, target }, n) => ({
    ...{ id: String(n), title: words.connectBoth(nameOf(state, source), nameOf(state, target)) },
    ...{ detail: handle === asked.handle ? undefined : words.handle(handle), group: words.instead },
  }));
  return (
    <Picker
      items={items}
      placeholder={words.refusal.level}
      nothing={words.refusal.level}
      onPick={n => {
        onClose();
        const ends = offered[Number(n)]!;
        connectSteps(scene, ends.source, ends.handle, ends.target);
        scene.focus();
      }}
      onClose={onClose}
    />
  );
}
