import type { ApiKey } from "../../../sdk/definition.ts";
import { useRotateKey } from "../../data/settings.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ShownSecret } from "./shown-secret.tsx";

/** Gives a key a new value, which is shown only once. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose: () => void }) {
  const { id } = useWorkspace();
  const rotate = useRotateKey(id);
  const { data } = rotate;
  if (data) {
    return (
      <Dialog open onClose={rotate.reset} title={words.keys.rotateOf(data.name)}>
        <ShownSecret lead={words.keys.madeLead} label={words.keys.made} value={data.key} onClose={rotate.reset} />
      </Dialog>
    );
  }
  return (
    <Confirm
      open={apiKey !== undefined}
      onClose={onClose}
      title={words.keys.rotateTitle(apiKey?.name ?? "")}
      confirm={words.keys.rotate}
      tone="primary"
      onConfirm={() => apiKey && rotate.mutateAsync(apiKey.id)}
    >
      {words.keys.rotateDetail}
    </Confirm>
  );
}
