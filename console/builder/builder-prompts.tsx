import { Plus } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { words } from "../messages/en-builder.ts";
import { Keys } from "../ui/kbd.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Picker, type PickerItem } from "../ui/picker.tsx";
import { addStep, connectSteps } from "./actions.ts";
import { useBuilder } from "./builder-context.tsx";
import { TypeIcon } from "./canvas/icons.tsx";
import { useViewOf } from "./canvas/use-view.ts";
import { isStray, nameOf, typeOf, useDocument, whyNot, withoutEdge } from "./document/index.ts";
import type { Category } from "./node-types.ts";
import type { InsertPosition, PromptRequest, Scene } from "./scene.ts";
import { useStepSuggestions } from "./use-step-suggestions.ts";

// Rarely needed, so it is loaded on demand.
const LevelPrompt = lazy(() => import("./level-prompt.tsx"), "LevelPrompt");
const ConvertedDialog = lazy(() => import("./converted-dialog.tsx"), "ConvertedDialog");
const ExtractDialog = lazy(() => import("./extract-dialog.tsx"), "ExtractDialog");

/** The id of a step that is not chosen yet. No step has this id. */
const NEW = "";
const ORDER: readonly Category[] = ["outside", "data", "flow", "people", "knowledge", "start", "end"];

function AddStep({ scene, where, onClose }: { scene: Scene; where: InsertPosition; onClose: () => void }) {
  const offers = useStepSuggestions();
  const isEmpty = scene.doc.getState().nodes.size === 0;
  // The catalogue may arrive after the dialog opened.
  const { nodeTypes } = useBuilder();
  const items = useMemo((): PickerItem[] => {
    // An empty workflow offers start steps first.
    const order = isEmpty ? ["start" as const, ...ORDER] : ORDER;
    const types = (nodeTypes?.types ?? []).toSorted((a, b) => order.indexOf(a.category) - order.indexOf(b.category));
    const steps = types.map(info => ({
      id: `type ${info.type}`,
      title: info.title,
      detail: info.summary,
      group: words.category[info.category],
      icon: <TypeIcon info={info} type={info.type} />,
      words: `${info.type} ${info.keywords.join(" ")}`,
    }));
    return [
      ...steps,
      ...offers.map(offer => ({ ...offer, icon: <TypeIcon info={offer.info} type={offer.info.type} /> })),
    ];
  }, [nodeTypes, isEmpty, offers]);
  const pick = (id: string) => {
    onClose();
    const offer = offers.find(each => each.id === id);
    const info = offer?.info ?? scene.typeOf(id.slice("type ".length));
    // A step for something of the workspace gets the name of that thing.
    if (info) addStep(scene, offer ? { ...info, title: offer.title } : info, where, offer?.data);
    scene.focus();
  };
  return (
    <Picker items={items} placeholder={words.addPlaceholder} nothing={words.nothing} onPick={pick} onClose={onClose} />
  );
}

/** Asks for the handle, if there are several, and then for the step that the edge leads to. */
function Connect({
  scene,
  asked,
  onClose,
}: {
  scene: Scene;
  asked: PromptRequest & { kind: "connect" };
  onClose: () => void;
}) {
  const state = useDocument(scene.doc);
  const { source } = asked;
  const handles = scene.handles(source);
  const [chosen, setChosen] = useState(asked.handle ?? (handles.length === 1 ? handles[0]!.id : undefined));
  const name = nameOf(state, source);
  if (chosen === undefined) {
    return (
      <Picker
        key="handle"
        items={handles.map(({ id, title }, n) => ({
          ...{ id, title, group: words.ways(name) },
          aside: n < 9 ? <Keys keys={String(n + 1)} /> : undefined,
        }))}
        onType={text => /^[1-9]$/.test(text) && setChosen(handles[Number(text) - 1]?.id)}
        placeholder={words.chooseWay}
        nothing={words.nothing}
        onPick={setChosen}
        onClose={onClose}
      />
    );
  }
  // The edge that is reconnected must not count against its own new target.
  const without = asked.edge === undefined ? state : withoutEdge(state, asked.edge);
  const items = [...state.nodes].flatMap(([id, node]): PickerItem[] => {
    if (isStray(id) || id === source) return [];
    const refusal = whyNot(without, { source, target: id, handle: chosen }, scene.startsRun);
    const info = scene.infoOf(id);
    return [
      {
        id,
        title: nameOf(state, id),
        detail: info?.title,
        group: refusal ? words.cannot : words.targets,
        disabled: refusal && words.refusal[refusal],
        icon: <TypeIcon info={info} type={typeOf(node)} />,
        words: id,
      },
    ];
  });
  // An existing edge gets the new step in its middle.
  const added: PickerItem[] =
    asked.edge === undefined
      ? [{ id: NEW, title: words.newStep, group: words.targets, icon: <Plus size={16} aria-hidden /> }]
      : [];
  const isPossible = ({ disabled }: PickerItem) => disabled === undefined;
  return (
    <Picker
      key="target"
      items={[...items.filter(isPossible), ...added, ...items.filter(item => !isPossible(item))]}
      placeholder={words.connectTo(name)}
      nothing={words.nothing}
      onPick={target => {
        onClose();
        if (target === NEW)
          return scene.set({ prompt: { kind: "add", where: { after: { id: source, handle: chosen } } } });
        if (asked.edge === undefined) connectSteps(scene, source, chosen, target);
        else scene.reconnect(asked.edge, { source, handle: chosen, target });
        scene.focus();
      }}
      onClose={onClose}
    />
  );
}

/**
 * The questions that the builder asks: which step to add, where an edge leads, or the name of the workflow for the
 * selected steps.
 */
export function BuilderPrompts({ scene }: { scene: Scene }) {
  const asked = useViewOf(scene, view => view.prompt);
  const close = () => scene.set({ prompt: undefined });
  if (asked?.kind === "add") return <AddStep scene={scene} where={asked.where} onClose={close} />;
  if (asked?.kind === "connect") return <Connect scene={scene} asked={asked} onClose={close} />;
  if (!asked) return null;
  return (
    <Suspense fallback={null}>
      {asked.kind === "level" ? (
        <LevelPrompt scene={scene} asked={asked} onClose={close} />
      ) : asked.kind === "converted" ? (
        <ConvertedDialog scene={scene} remarks={asked.remarks} onClose={close} />
      ) : (
        <ExtractDialog scene={scene} onClose={close} />
      )}
    </Suspense>
  );
}
