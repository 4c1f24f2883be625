import { MAX_TITLE } from "../../contracts/entities/notification.ts";
import { clip } from "../../core/clip.ts";
import { outboxOf } from "../../service-kit/outbox.ts";
import { type CredentialDoc, credentials } from "./model.ts";

/** Notifies editors of a credential that no longer yields tokens. */
export const credentialNotices = outboxOf<CredentialDoc>({
  collection: credentials,
  notices({ id, workspaceId, name, status, lastError, failures = 0 }) {
    if (status === "ready") return Promise.resolve([]);
    const notice = {
      key: `credential:${id}:${failures}`,
      workspaceId,
      type: "credential_failed" as const,
      title: clip(`Gives no token: ${name}`, MAX_TITLE),
      body: lastError ?? "",
      link: `/v1/workspaces/${workspaceId}/credentials/${id}`,
      to: { role: "editor" as const },
    };
    return Promise.resolve([notice]);
  },
});
