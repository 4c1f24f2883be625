import { ChevronRight } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { isRecord } from "../../data/json.ts";
import { hasExpression } from "../../editor/tokens.ts";
import { words } from "../../messages/en-inspector.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { memberOf, pointerPart } from "../values.ts";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { FieldFrame } from "./field-frame.tsx";
import { docsOf, hintsOf, initialValueOf, type Member, membersOf } from "./model.ts";
import styles from "./step.module.css";
import { Switchable } from "./switchable.tsx";

type Part = ComponentType<StepFieldProps>;

interface MembersProps {
  schema: StepFieldProps["schema"];
  value: unknown;
  pointer: string;
  Part: Part;
  /** A member that is rendered elsewhere. */
  without?: string | undefined;
}

/** Members of which exactly one is present: a choice, and the chosen member. */
function OneOf({ members, value, pointer, Part }: Omit<MembersProps, "schema"> & { members: Member[] }) {
  const { change, root, readOnly } = useStepForm();
  const given = members.find(({ name }) => memberOf(value, name) !== undefined);
  const [asked, setAsked] = useState<string>();
  const chosen = given ?? members.find(({ name }) => name === asked) ?? members[0]!;
  const choose = (name: string) => {
    setAsked(name);
    for (const one of members) if (one.name !== name) change(pointer + pointerPart(one.name), undefined);
    const next = members.find(one => one.name === name)!;
    if (given) change(pointer + pointerPart(name), initialValueOf(next.schema, root));
  };
  return (
    <div className={styles.oneOf}>
      {readOnly ? null : (
        <Segmented
          label={<span className="visually-hidden">{words.oneOf}</span>}
          value={chosen.name}
          options={members.map(({ name, label }) => ({ value: name, label }))}
          onChange={choose}
        />
      )}
      <Part
        schema={chosen.schema}
        label={chosen.label}
        required
        value={memberOf(value, chosen.name)}
        pointer={pointer + pointerPart(chosen.name)}
      />
    </div>
  );
}

/** Fields in a collapsible section. It is open at first if one of them has a value or a fault. */
function Fold({ title, set, open, children }: { title: string; set: number; open: boolean; children: ReactNode }) {
  const [chosen, setChosen] = useState<boolean>();
  const region = useRef<HTMLElement>(null);
  const shown = chosen ?? open;
  // Scrolls the opened section into view, because it may be at the end of the form.
  useEffect(() => {
    if (chosen) region.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <section ref={region} className={styles.fold}>
      <h3>
        <button type="button" aria-expanded={shown} className={styles.foldHead} onClick={() => setChosen(!shown)}>
          <ChevronRight size={14} aria-hidden data-open={shown || undefined} />
          {title}
          {set > 0 && !shown ? <span className={styles.foldCount}>{words.fieldsSet(set)}</span> : null}
        </button>
      </h3>
      {shown ? <div className={styles.fields}>{children}</div> : null}
    </section>
  );
}

/** The fields of an object, by group. */
export function Members({ schema, value, pointer, Part, without }: MembersProps) {
  const { root, faults } = useStepForm();
  const members = membersOf(schema, root).filter(({ name }) => name !== without);
  const sets = (hintsOf(schema).exactlyOneOf ?? []).map(names => members.filter(({ name }) => names.includes(name)));
  const setOf = (member: Member) => sets.find(set => set.length > 1 && set.includes(member));
  /** A member depends on another one that is not chosen, so its field is hidden. */
  const isIdle = (member: Member) => {
    const { belongsTo: owner } = hintsOf(member.schema);
    const rivals = sets.find(set => set.some(({ name }) => name === owner)) ?? [];
    return rivals.some(({ name }) => name !== owner && memberOf(value, name) !== undefined);
  };
  const draw = (member: Member) => {
    if (isIdle(member)) return null;
    const set = setOf(member);
    if (set) {
      const isFirst = set[0] === member;
      return isFirst ? <OneOf key={member.name} members={set} {...{ value, pointer, Part }} /> : null;
    }
    return (
      <Part
        key={member.name}
        schema={member.schema}
        label={member.label}
        required={member.required}
        value={memberOf(value, member.name)}
        pointer={pointer + pointerPart(member.name)}
      />
    );
  };
  const groups = Map.groupBy(members, ({ group }) => group);
  const hasFault = (at: string) => [...faults.keys()].some(one => one === at || one.startsWith(`${at}/`));
  return (
    <div className={styles.fields}>
      {(groups.get(undefined) ?? []).map(draw)}
      {[...groups].map(([title, inside]) => {
        if (title === undefined) return null;
        const set = inside.filter(({ name }) => memberOf(value, name) !== undefined).length;
        const open = inside.some(({ name }) => hasFault(pointer + pointerPart(name)));
        return (
          <Fold key={title} title={title} set={set} open={open || set > 0}>
            {inside.map(draw)}
          </Fold>
        );
      })}
    </div>
  );
}

/** An object inside of the data. An optional object has a switch. */
export function ObjectField({ Part, ...props }: StepFieldProps & { Part: Part }) {
  const { schema, label, required, value, pointer } = props;
  const { change, faults, readOnly, root } = useStepForm();
  const isOn = isRecord(value) || required;
  const isItem = /\/\d+$/.test(pointer);
  if (isItem && !hasExpression(value)) return <Members {...{ schema, value, pointer, Part }} />;
  return (
    <Switchable {...props}>
      {toggle => (
        <FieldFrame {...{ label, required }} hint={docsOf(schema)} fault={faults.get(pointer)} aside={toggle}>
          {({ labelId }) => (
            <div role="group" aria-labelledby={labelId} className={styles.group}>
              {required ? null : (
                <label className={styles.onOff}>
                  <input
                    type="checkbox"
                    className={styles.check}
                    checked={isOn}
                    disabled={readOnly}
                    onChange={event => change(pointer, event.target.checked ? initialValueOf(schema, root) : undefined)}
                  />
                  {words.use}
                </label>
              )}
              {isOn ? <Members {...{ schema, value, pointer, Part }} /> : null}
            </div>
          )}
        </FieldFrame>
      )}
    </Switchable>
  );
}
