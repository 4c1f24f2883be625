import { Api, register } from "../support/api.ts";
import { sharedServer } from "../support/shared.ts";
import { until } from "../support/until.ts";

const password = "correct horse battery";

it("logs successful and failed sign-ins of members only in the workspaces of the member", async () => {
  const { url } = await sharedServer();
  const [owner, member, stranger] = [await register(url), await register(url), await register(url)];
  const workspaceId = (await owner.post("/v1/workspaces", { name: "Audited" })).body.id as string;
  const other = (await stranger.post("/v1/workspaces", { name: "Other" })).body.id as string;
  const { body } = await owner.post(`/v1/workspaces/${workspaceId}/invites`, { email: member.email, role: "editor" });
  await member.post("/v1/invites/accept", { token: body.token });
  await owner.post("/v1/auth/login", { email: member.email, password: "not the right password" });
  const current = { password: { current: password, new: "a wholly new horse battery" } };
  expect((await member.patch("/v1/auth/me", current)).status).toBe(200);
  await owner.post("/v1/auth/login", { email: member.email, password: "a wholly new horse battery" });
  const entries = async (by: typeof owner, id: string) =>
    (await by.get(`/v1/workspaces/${id}/audit?resourceType=account`)).body as unknown as object[];
  await until(async () => (await entries(owner, workspaceId)).length === 3);
  const at = { actor: { kind: "user", id: member.userId }, resourceId: member.userId, address: "127.0.0.1" };
  const found = await entries(owner, workspaceId);
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: "account.sign_in_failed", outcome: "failed", error: "invalid_credentials" }),
      expect.objectContaining({ action: "account.password_changed", outcome: "succeeded" }),
      expect.objectContaining({ action: "account.signed_in", outcome: "succeeded" }),
    ]),
  );
  for (const entry of found) expect(entry).toMatchObject(at);
  expect(JSON.stringify(found)).not.toContain("horse battery");
  expect(await entries(stranger, other)).toEqual([]);
  expect((await member.get(`/v1/workspaces/${workspaceId}/audit`)).status).toBe(403);
});

it("logs a declined invite under the invited address", async () => {
  const { url } = await sharedServer();
  const owner = await register(url);
  const workspaceId = (await owner.post("/v1/workspaces", { name: "Inviting" })).body.id as string;
  const email = "declines@example.com";
  const { body: invite } = await owner.post(`/v1/workspaces/${workspaceId}/invites`, { email });
  const nobody = new Api(url);
  expect((await nobody.post("/v1/invites/decline", { token: invite.token })).status).toBe(204);
  const read = await nobody.post("/v1/invites/read", { token: invite.token });
  expect(read).toMatchObject({ status: 410, body: { code: "invite_declined" } });
  const { body } = await owner.get(`/v1/workspaces/${workspaceId}/audit?action=workspaces.invites.decline`);
  const actor = { kind: "link", id: invite.id, userId: owner.userId, email };
  expect(body).toMatchObject([{ actor, actorName: email, resourceId: invite.id, outcome: "succeeded", error: null }]);
});
