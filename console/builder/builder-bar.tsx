import {
  Check,
  CircleAlert,
  CloudUpload,
  Ellipsis,
  HardDrive,
  ListTree,
  LoaderCircle,
  MessageSquarePlus,
  Play,
  TriangleAlert,
} from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { words as trial } from "../messages/en-trial.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Keys } from "../ui/kbd.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { useMedia } from "../ui/use-media.ts";
import styles from "./builder-bar.module.css";
import { setMeta, useDocumentOf } from "./document/index.ts";
import { HistoryButtons, HistoryItems } from "./history-buttons.tsx";
import type { DraftSaver } from "./draft-saver.ts";
import type { Scene } from "./scene.ts";
import { useBase, useIsDraft, useSaveState, useSaveStateOf } from "./use-draft-saver.ts";

const SettingsDialog = lazy(() => import("./settings-dialog.tsx"), "SettingsDialog");

interface BarProps {
  scene: Scene;
  saver: DraftSaver;
  liveVersion: number | null;
  faults: number;
  outline: boolean;
  mayRun: boolean;
  /** Whether the Run button draws attention, because only the first run is left to do. */
  pulsing: boolean;
  mayDeploy: boolean;
  presence?: ReactNode;
  onSave: () => void;
  onSaveWith: () => void;
  onDeploy: () => void;
  onRun: () => void;
  onProblems: () => void;
  onOutline: () => void;
  onVersions: () => void;
  onFind: () => void;
  onTrial: () => void;
}

const ICONS = {
  saved: Check,
  typing: HardDrive,
  here: HardDrive,
  kept: CloudUpload,
  saving: LoaderCircle,
  failed: CircleAlert,
};

/** Says where the changes are stored. It is one label, and only a failure is red. */
function StateLabel({ saver }: { saver: DraftSaver }) {
  const state = useSaveState(saver);
  const Icon = ICONS[state.kind];
  const text =
    state.kind === "saved"
      ? words.state.saved(state.version)
      : state.kind === "failed"
        ? words.state.failed(state.why, state.kept)
        : words.state[state.kind];
  return (
    <span
      className={styles.state}
      data-kind={state.kind}
      title={state.kind === "failed" ? text : words.draftHint}
      role="status"
    >
      <Icon size={14} aria-hidden />
      <span className={styles.stateText}>{text}</span>
    </span>
  );
}

/** The number of faults, shown in a button that they affect. */
const Count = ({ of }: { of: number }) =>
  of > 0 ? (
    <span className={styles.count} aria-hidden>
      {of}
    </span>
  ) : null;

/** The bar above the canvas: the name, the state of the changes, and the three main actions. */
export function BuilderBar(props: BarProps) {
  const { scene, saver, liveVersion, faults, outline, mayRun, mayDeploy, presence } = props;
  const name = useDocumentOf(scene.doc, ({ meta }) => meta.name);
  const narrow = useMedia("(max-width: 719px)");
  const [settings, setSettings] = useState(false);
  const isDraft = useIsDraft(saver);
  const isSaving = useSaveStateOf(saver, ({ kind }) => kind === "saving");
  const next = useBase(saver).version + (isDraft ? 1 : 0);
  const isLive = liveVersion === next;
  const wrong = faults > 0 ? words.faults(faults) : undefined;
  const isEmpty = useDocumentOf(scene.doc, ({ nodes }) => nodes.size === 0);
  return (
    <header className={styles.bar}>
      <h1 className="visually-hidden">{name}</h1>
      <input
        className={styles.name}
        aria-label={words.name}
        value={name}
        maxLength={200}
        readOnly={scene.readOnly}
        size={Math.max(8, Math.min(48, name.length + 1))}
        onChange={event => scene.apply(setMeta({ name: event.target.value }))}
      />
      <StateLabel saver={saver} />
      {presence}
      <span className={styles.space} />
      {scene.readOnly ? null : <HistoryButtons scene={scene} />}
      {faults > 0 ? (
        <Tooltip text={words.problems} keys={<Keys keys="f8" />}>
          <Button
            tone="quiet"
            className={styles.faults}
            icon={<TriangleAlert size={14} aria-hidden />}
            aria-label={words.faults(faults)}
            onClick={props.onProblems}
          >
            <span className={styles.wide}>{words.faults(faults)}</span>
            <span className={styles.narrow}>{faults}</span>
          </Button>
        </Tooltip>
      ) : null}
      <Tooltip text={words.outline} keys={<Keys keys="o" />}>
        <IconButton label={words.outline} aria-pressed={outline} onClick={props.onOutline}>
          <ListTree size={16} aria-hidden />
        </IconButton>
      </Tooltip>
      <Menu
        align="end"
        trigger={
          <IconButton label={words.more}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        {narrow && !scene.readOnly ? <HistoryItems scene={scene} /> : null}
        <MenuItem onSelect={() => mayRun && props.onTrial()} disabled={!mayRun}>
          {trial.title}
        </MenuItem>
        <MenuItem onSelect={props.onVersions}>{words.versions}</MenuItem>
        <MenuItem onSelect={props.onFind} aside={<Keys keys="mod f" />}>
          {words.finds.title}
        </MenuItem>
        <MenuItem onSelect={props.onProblems} aside={<Keys keys="f8" />}>
          {words.problems}
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => setSettings(true)}>{words.settings}</MenuItem>
      </Menu>
      {settings ? (
        <Suspense fallback={null}>
          <SettingsDialog scene={scene} onClose={() => setSettings(false)} />
        </Suspense>
      ) : null}
      <span className={styles.line} />
      <Tooltip text={mayRun ? words.run : m.needsRole(m.role.editor)} keys={<Keys keys="mod enter" />}>
        <Button
          icon={<Play size={14} aria-hidden />}
          data-pulse={props.pulsing || undefined}
          aria-disabled={!mayRun || undefined}
          aria-description={mayRun ? undefined : m.needsRole(m.role.editor)}
          onClick={() => mayRun && props.onRun()}
        >
          {words.run}
        </Button>
      </Tooltip>
      {scene.readOnly ? null : (
        <>
          <Tooltip text={words.saveHint} keys={<Keys keys="mod s" />}>
            <Button
              tone={isDraft ? "primary" : "plain"}
              busy={isSaving}
              aria-disabled={!isDraft || undefined}
              aria-description={wrong}
              onClick={() => isDraft && props.onSave()}
            >
              {words.save}
              <Count of={isDraft ? faults : 0} />
            </Button>
          </Tooltip>
          <Tooltip text={words.saveWith} keys={<Keys keys="mod shift s" />}>
            <IconButton
              label={words.saveWith}
              className={styles.saveWith}
              aria-disabled={!isDraft || undefined}
              onClick={() => isDraft && props.onSaveWith()}
            >
              <MessageSquarePlus size={16} aria-hidden />
            </IconButton>
          </Tooltip>
        </>
      )}
      <Tooltip text={mayDeploy ? words.deploy(next) : words.deployRole}>
        <Button
          tone={!isDraft && !isLive && !isEmpty ? "primary" : "plain"}
          aria-description={wrong}
          onClick={props.onDeploy}
          className={styles.deploy}
        >
          {isLive ? words.isLive(next) : words.deploy(next)}
          {isLive ? null : (
            <span className={styles.live}>{liveVersion === null ? words.notLive : words.live(liveVersion)}</span>
          )}
          <Count of={isLive ? 0 : faults} />
        </Button>
      </Tooltip>
    </header>
  );
}
