import { Play, Plus, Search, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonTone, IconButton } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Chip } from "../ui/chip.tsx";
import { ValueChip } from "../ui/value-chip.tsx";
import { PasswordField, TextArea, TextField } from "../ui/field.tsx";
import { Keys } from "../ui/kbd.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { doNothing, Stories, Story } from "./story.tsx";

const TONES: readonly ButtonTone[] = ["primary", "plain", "quiet", "danger"];
const LONG = "A very long label that does not fit into the room that it is given, whatever the width";

const Buttons = () => (
  <Stories title="Button">
    {TONES.map(tone => (
      <Story key={tone} name={tone} wide>
        <Button tone={tone}>Save</Button>
        <Button tone={tone} icon={<Play size={14} aria-hidden />}>
          Run
        </Button>
        <Button tone={tone} size="small">
          Small
        </Button>
        <Button tone={tone} size="large">
          Large
        </Button>
        <Button tone={tone} busy icon={<Play size={14} aria-hidden />}>
          Busy
        </Button>
        <Button tone={tone} disabled>
          Disabled
        </Button>
        <Button tone={tone} aria-disabled title="Needs the role editor">
          Not your role
        </Button>
        <IconButton tone={tone} label="Add">
          <Plus size={16} aria-hidden />
        </IconButton>
        <IconButton tone={tone} label="Delete" size="small">
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </Story>
    ))}
    <Story name="a long label">
      <Button>{LONG}</Button>
    </Story>
    <Story name="the whole width">
      <Button tone="primary" size="large" wide>
        Approve
      </Button>
    </Story>
  </Stories>
);

const Fields = () => (
  <Stories title="Field">
    <Story name="empty">
      <TextField label="Name" placeholder="Nightly import" />
    </Story>
    <Story name="with a hint and an aside">
      <TextField
        label="Address"
        defaultValue="analytical-engines"
        hint="It is a part of links."
        aside={<a href="#top">Why?</a>}
      />
    </Story>
    <Story name="with a fault">
      <TextField label="E-mail" defaultValue="ada@" error="This is not an e-mail address." />
    </Story>
    <Story name="disabled">
      <TextField label="Owner" defaultValue="Ada Lovelace" disabled />
    </Story>
    <Story name="a long label and value">
      <TextField label={LONG} defaultValue={LONG} />
    </Story>
    <Story name="several lines">
      <TextArea label="Prompt" rows={3} defaultValue={"Approve the expense?\nAbove the limit."} />
    </Story>
    <Story name="code">
      <TextArea label="Input" code rows={3} defaultValue={'{\n  "amount": 420\n}'} />
    </Story>
    <Story name="a password, too short">
      <PasswordField label="New password" least={12} value="correct" onChange={doNothing} />
    </Story>
  </Stories>
);

const Choices = () => {
  const [segment, setSegment] = useState("graph");
  const [role, setRole] = useState("editor");
  const [words, setWords] = useState("card");
  const options = ["graph", "timeline", "log"].map(value => ({ value, label: value }));
  const roles = ["viewer", "editor", "admin"].map(value => ({ value, label: value }));
  return (
    <Stories title="Choices">
      <Story name="segmented">
        <Segmented label="View" value={segment} options={options} onChange={setSegment} hint="Arrow keys change it." />
      </Story>
      <Story name="select">
        <Select label="Role" value={role} options={roles} onChange={setRole} />
      </Story>
      <Story name="switch: on, off, disabled">
        <Switch label="On" checked onChange={doNothing} />
        <Switch label="Off" checked={false} onChange={doNothing} />
        <Switch label="On, disabled" checked disabled onChange={doNothing} />
        <Switch label="Off, disabled" checked={false} disabled onChange={doNothing} />
      </Story>
      <Story name="checkbox: marked, not marked">
        <Checkbox label="Marked" checked onChange={doNothing} />
        <Checkbox label="Not marked" checked={false} onChange={doNothing} />
      </Story>
      <Story name="chips: on, off, with a value, with a long value" wide>
        <Chip on onToggle={doNothing}>
          Failed
        </Chip>
        <Chip on={false} onToggle={doNothing}>
          Running
        </Chip>
        <ValueChip name="Workflow" label="Remove the filter" onRemove={doNothing}>
          Approve an expense
        </ValueChip>
        <ValueChip name="Error" label="Remove the filter" onRemove={doNothing}>
          {LONG}
        </ValueChip>
      </Story>
      <Story name="search: filled, empty">
        <SearchField label="Find a run" icon={<Search size={14} aria-hidden />} value={words} onChange={setWords} />
        <SearchField label="Find a step" icon={<Search size={14} aria-hidden />} value="" onChange={doNothing} />
      </Story>
      <Story name="keys">
        <Keys keys="mod k" />
        <Keys keys="g r" />
        <Keys keys="mod enter" />
        <Keys keys="?" />
      </Story>
    </Stories>
  );
};

/** Components that users press or type into. */
export const Controls = () => (
  <>
    <Buttons />
    <Fields />
    <Choices />
  </>
);
