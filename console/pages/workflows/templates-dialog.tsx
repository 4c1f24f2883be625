import { useQuery } from "@tanstack/react-query";
import { templatesQuery, useUseTemplate } from "../../data/workflows.ts";
import { words } from "../../messages/en-new-workflow.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Picker } from "../../ui/picker.tsx";

/** Chooses a template, and makes a workflow of it. */
export default function TemplatesDialog({
  onOpen,
  onClose,
}: {
  onOpen: (workflow: { id: string; spaceId: string }) => void;
  onClose: () => void;
}) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(templatesQuery);
  const make = useUseTemplate(workspaceId);
  return (
    <Picker
      items={(data ?? []).map(({ id, name, description, category, tags }) => ({
        id,
        title: name,
        detail: description,
        group: category.charAt(0).toUpperCase() + category.slice(1),
        words: tags.join(" "),
      }))}
      placeholder={words.chooseTemplate}
      nothing={m.workflows.noMatch}
      onPick={id =>
        make.mutate(
          { id },
          {
            onSuccess(workflow) {
              onClose();
              onOpen(workflow);
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
