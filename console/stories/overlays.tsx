import { Copy, Download, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Confirm } from "../shell/confirm.tsx";
import { TypedConfirm } from "../shell/typed-confirm.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { TextField } from "../ui/field.tsx";
import { Keys } from "../ui/kbd.tsx";
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { PaletteDialog } from "../ui/palette.tsx";
import { Picker } from "../ui/picker.tsx";
import { toast } from "../ui/toast.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { doNothing, Stories, Story } from "./story.tsx";

const ITEMS = [
  { id: "runs", title: "Go to runs", group: "Places", keys: "g r", run: doNothing },
  { id: "home", title: "Go to home", group: "Places", keys: "g h", run: doNothing },
  { id: "key", title: "New API key", group: "Commands", run: doNothing },
];
const PICKS = [
  { id: "http", title: "HTTP request", detail: "Calls an address", group: "Outside", aside: <Keys keys="1" /> },
  { id: "tool", title: "Tool", detail: "Calls a tool of a server", group: "Outside" },
  { id: "agent", title: "Agent", group: "Knowledge", disabled: "No model is configured" },
];

/** A confirmed action whose request gets no answer. */
const fails = async () => {
  await new Promise(done => setTimeout(done, 1_000));
  throw new Error("The service does not answer. Nothing was changed.");
};

function Actions() {
  return (
    <Menu trigger={<Button>Menu</Button>}>
      <MenuItem icon={<Copy size={16} aria-hidden />} aside={<Keys keys="mod d" />}>
        Duplicate
      </MenuItem>
      <MenuItem icon={<Download size={16} aria-hidden />}>Export as a file with a rather long name</MenuItem>
      <MenuItem disabled>Move</MenuItem>
      <MenuSeparator />
      <MenuGroup label="Sort by">
        <MenuChoice checked onSelect={doNothing}>
          Changed
        </MenuChoice>
        <MenuChoice checked={false} onSelect={doNothing} aside="A to Z">
          Name
        </MenuChoice>
      </MenuGroup>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={16} aria-hidden />}>
        Move to trash
      </MenuItem>
    </Menu>
  );
}

/** Components that float above a page. Each has a button that opens it. */
export function Overlays() {
  const [open, setOpen] = useState<"dialog" | "confirm" | "typed" | "drawer" | "palette" | "picker">();
  const close = () => setOpen(undefined);
  return (
    <Stories title="What floats">
      <Story name="opened by their buttons" wide>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("confirm")}>Confirm</Button>
        <Button onClick={() => setOpen("typed")}>Typed confirm</Button>
        <Button onClick={() => setOpen("drawer")}>Drawer</Button>
        <Button onClick={() => setOpen("palette")}>Palette</Button>
        <Button onClick={() => setOpen("picker")}>Picker</Button>
        <Actions />
        <Tooltip text="Add a step" keys={<Keys keys="n" />}>
          <IconButton label="Tooltip" tone="plain">
            <Plus size={16} aria-hidden />
          </IconButton>
        </Tooltip>
        <Button
          onClick={() => {
            toast.done("Saved v14", "Nothing else was changed.");
            toast.failed("Not saved", "The service does not answer. What you typed is kept in this browser.");
          }}
        >
          Toasts
        </Button>
      </Story>
      {open === "typed" ? (
        <TypedConfirm
          title="Delete Spring campaign?"
          detail="Its 2 spaces and 7 workflows are deleted too, with all runs, schedules and webhooks."
          label="To confirm, type Spring campaign"
          word="Spring campaign"
          confirm="Delete"
          onConfirm={fails}
          onClose={close}
        />
      ) : null}
      <Dialog
        open={open === "dialog"}
        onClose={close}
        title="New key"
        description="It is shown once."
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button tone="primary">Create key</Button>
          </>
        }
      >
        <TextField label="Name" placeholder="Nightly import" hint="So that you know it again." />
      </Dialog>
      <Confirm
        open={open === "confirm"}
        onClose={close}
        title="Revoke Nightly import?"
        confirm="Revoke"
        onConfirm={fails}
      >
        Programs that use the key are refused at once. This cannot be undone.
      </Confirm>
      <Drawer open={open === "drawer"} onClose={close} title="Analytical Engines">
        <p>What the rail has on wide screens.</p>
      </Drawer>
      {open === "palette" ? (
        <PaletteDialog items={ITEMS} placeholder="Search or jump to" nothing="Nothing is called so" onClose={close} />
      ) : null}
      {open === "picker" ? (
        <Picker
          items={PICKS}
          placeholder="What happens next?"
          nothing="Nothing is called so"
          onPick={close}
          onClose={close}
        />
      ) : null}
    </Stories>
  );
}
