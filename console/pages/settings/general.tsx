import { useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { faultAt, codeOf, problemOf } from "../../data/problem.ts";
import { useRemoveWorkspace, useUpdateWorkspace } from "../../data/settings.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { TypedConfirm } from "../../shell/typed-confirm.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import styles from "./settings.module.css";

function NameCard() {
  const { id, name: nameNow, slug: slugNow, role } = useWorkspace();
  const [name, setName] = useState(nameNow);
  const [slug, setSlug] = useState(slugNow);
  const update = useUpdateWorkspace(id);
  const navigate = useNavigate();
  const may = includesRole(role, "admin");
  const isChanged = name !== nameNow || slug !== slugNow;
  const { error } = update;
  const slugFault = codeOf(error) === "slug_taken" ? problemOf(error).title : faultAt(error, "/slug");
  const nameFault = faultAt(error, "/name");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    update.mutate(
      { ...(name !== nameNow && { name }), ...(slug !== slugNow && { slug }) },
      {
        onSuccess: saved => {
          toast.done(words.settings.saved);
          void navigate({ to: "/w/$w/settings/$tab", params: { w: saved.slug, tab: "general" }, replace: true });
        },
      },
    );
  };
  return (
    <Card title={words.settings.nameTitle}>
      <form className={styles.form} onSubmit={submit}>
        {error && !slugFault && !nameFault ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={words.settings.name}
          required
          maxLength={100}
          value={name}
          readOnly={!may}
          error={nameFault}
          onChange={event => setName(event.target.value)}
        />
        <TextField
          label={words.settings.slug}
          hint={words.settings.slugHint}
          required
          maxLength={100}
          spellCheck={false}
          value={slug}
          readOnly={!may}
          error={slugFault}
          onChange={event => setSlug(event.target.value)}
        />
        <div className={styles.acts}>
          <Button
            type="submit"
            tone="primary"
            busy={update.isPending}
            disabled={!may || !isChanged}
            title={!may ? m.needsRole(m.role.admin) : isChanged ? undefined : m.nothingToSave}
          >
            {words.settings.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const { id, name } = useWorkspace();
  const remove = useRemoveWorkspace(id);
  const navigate = useNavigate();
  return (
    <TypedConfirm
      title={words.settings.removeTitle(name)}
      detail={words.settings.removeDetail}
      label={words.settings.removeLabel(name)}
      word={name}
      confirm={words.settings.remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutateAsync(undefined, {
          onSuccess: () => {
            toast.done(words.settings.removed(name));
            void navigate({ to: "/" });
          },
        })
      }
    />
  );
}

export function GeneralSection() {
  const { role, id } = useWorkspace();
  const [removes, setRemoves] = useState(false);
  return (
    <>
      <NameCard key={id} />
      {role === "owner" ? <SecondFactorCard /> : null}
      {role === "owner" ? (
        <Card
          title={words.settings.remove}
          lead={words.settings.removeLead}
          aside={
            <Button tone="danger" onClick={() => setRemoves(true)}>
              {words.settings.remove}
            </Button>
          }
        >
          {null}
        </Card>
      ) : null}
      {removes ? <RemoveDialog onClose={() => setRemoves(false)} /> : null}
    </>
  );
}
