import type { ApiKey } from "../../../sdk/definition.ts";
import { useRotateKey } from "../../data/settings.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { ShownSecret } from "./shown-secret.tsx";

/** Gives a key a new value, which is shown only once. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose: () => void }) {
  const { id } = useWorkspace();
  const rotate = useRotateKey(id);
  const { data } = rotate;
  const close = () => {
    rotate.reset();
    onClose();
  };
  if (data) {
    return (
      <Dialog open onClose={close} title={words.keys.rotateOf(data.name)}>
        <ShownSecret lead={words.keys.madeLead} label={words.keys.made} value={data.key} onClose={close} />
      </Dialog>
    );
  }
  return (
    <Confirm
      open={apiKey !== undefined}
      onClose={close}
      title={words.keys.rotateTitle(apiKey?.name ?? "")}
      confirm={words.keys.rotate}
      tone="primary"
      busy={rotate.isPending}
      onConfirm={() => apiKey && rotate.mutate(apiKey.id)}
    >
      {words.keys.rotateDetail}
    </Confirm>
  );
}
