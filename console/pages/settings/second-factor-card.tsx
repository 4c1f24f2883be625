import { codeOf, problemOf } from "../../data/problem.ts";
import { useUpdateWorkspace } from "../../data/settings.ts";
import { passkeys as words } from "../../messages/en-passkeys.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import { Notice } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { toast } from "../../ui/toast.tsx";

/** Whether members need a second factor. Only owners can change it. */
export function SecondFactorCard() {
  const { id, demandsFactor } = useWorkspace();
  const update = useUpdateWorkspace(id);
  const { error } = update;
  const set = (demanded: boolean) =>
    update.mutate(
      { demandsFactor: demanded },
      { onSuccess: () => toast.done(demanded ? words.demanded : words.notDemanded) },
    );
  return (
    <Card
      title={words.demandTitle}
      lead={words.demandLead}
      aside={<Switch label={words.demand} checked={demandsFactor} disabled={update.isPending} onChange={set} />}
    >
      {error ? (
        <Notice tone="bad">{codeOf(error) === "factor_required" ? words.first : problemOf(error).title}</Notice>
      ) : null}
    </Card>
  );
}
