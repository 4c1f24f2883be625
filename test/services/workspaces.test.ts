import type { ServiceSchema } from "moleculer";
import { AppError } from "../../contracts/errors.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import pods from "../../services/pods/pods.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import {
  outcomes,
  ownDataDir,
  refusal,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(workspaces, pods)));
afterAll(() => node.stop());

const create = (as: Identity, name = "Acme", slug?: string) => node.act(as, "workspaces.create", { name, slug });

test("a new workspace belongs to its creator and has one default space with its own id", async () => {
  const ada = userIdentity();
  const workspace = await create(ada, "  Analytical Engines ");
  expect(workspace).toMatchObject({ name: "Analytical Engines", slug: "analytical-engines", role: "owner" });
  expect(await node.act(ada, "workspaces.get", { workspaceId: workspace.id })).toEqual(workspace);
  const { items } = await node.act(ada, "pods.spaces.list", { workspaceId: workspace.id });
  expect(items).toEqual([expect.objectContaining({ id: workspace.id, default: true, name: "Default" })]);
});

test("a slug derived from the name is changed when it is taken, and a requested one is rejected", async () => {
  const ada = userIdentity();
  const first = await create(ada, "Same");
  const second = await create(userIdentity(), "Same");
  expect(first.slug).toBe("same");
  expect(second.slug).toMatch(/^same-[0-9a-f]{6}$/);
  await expect(create(ada, "Other", "same")).rejects.toEqual(refusal("slug_taken"));
  expect((await create(ada, "日本", undefined)).slug).toBe("workspace");
  expect((await create(ada, "日本", "nihon")).slug).toBe("nihon");
});

test("ten workspaces of one name at the same moment get ten slugs", async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => create(userIdentity(), "Rush")));
  expect(new Set(made.map(one => one.slug)).size).toBe(10);
});

test("the list has the caller's workspaces only, newest first, with the caller's role, page by page", async () => {
  const ada = userIdentity();
  const names = ["one", "two", "three", "four", "five"];
  for (const name of names) await create(ada, name);
  const foreign = await create(userIdentity(), "foreign");
  await addMember(node, foreign.id, "viewer", ada);
  await create(userIdentity(), "hidden");

  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await node.act(ada, "workspaces.list", { limit: 2, cursor });
    seen.push(...page.items.map(one => `${one.name}:${one.role}`));
    cursor = page.next ?? undefined;
  } while (cursor);
  expect(seen).toEqual(["foreign:viewer", "five:owner", "four:owner", "three:owner", "two:owner", "one:owner"]);
  await expect(node.act(ada, "workspaces.list", { cursor: "nonsense" })).rejects.toEqual(refusal("invalid_cursor"));
});

test("a person who is not a member finds no workspace in any way", async () => {
  const { id: workspaceId } = await create(userIdentity());
  const mallory = userIdentity();
  const calls = [
    node.act(mallory, "workspaces.get", { workspaceId }),
    node.act(mallory, "workspaces.update", { workspaceId, name: "Mine" }),
    node.act(mallory, "workspaces.remove", { workspaceId }),
    node.act(mallory, "workspaces.members", { workspaceId }),
    node.act(mallory, "workspaces.removeMember", { workspaceId, userId: mallory.userId }),
    node.act(mallory, "pods.create", { workspaceId, name: "Pod" }),
  ];
  expect(await outcomes(calls)).toEqual(["not_found"]);
  await expect(node.act(null, "workspaces.get", { workspaceId })).rejects.toEqual(refusal("unauthenticated"));
});

test("an admin can change name and slug, and an editor can change neither", async () => {
  const ada = userIdentity();
  const workspace = await create(ada, "Before");
  const workspaceId = workspace.id;
  await create(ada, "Taken", "taken");
  const admin = await addMember(node, workspaceId, "admin");
  const editor = await addMember(node, workspaceId, "editor");

  const updated = await node.act(admin, "workspaces.update", { workspaceId, name: "After", slug: "after" });
  expect(updated).toMatchObject({ id: workspaceId, name: "After", slug: "after", role: "admin" });
  expect(await node.act(admin, "workspaces.update", { workspaceId, name: "After" })).toEqual(updated);
  await expect(node.act(admin, "workspaces.update", { workspaceId, slug: "taken" })).rejects.toEqual(
    refusal("slug_taken"),
  );
  await expect(node.act(editor, "workspaces.update", { workspaceId, name: "No" })).rejects.toEqual(
    refusal("role_too_low"),
  );
});

test("a workspace whose default space cannot be created does not exist, and its slug is free", async () => {
  const brokenPods: ServiceSchema = {
    name: "pods",
    actions: {
      "spaces.createDefault"() {
        throw new AppError("unavailable");
      },
    },
  };
  const broken = await startServices(workspaces, brokenPods);
  const ada = userIdentity();
  const made = { name: "Half", slug: "half" };
  await expect(broken.act(ada, "workspaces.create", made)).rejects.toEqual(refusal("unavailable"));
  await broken.stop();
  expect((await node.act(ada, "workspaces.list", {})).items).toEqual([]);
  expect((await node.act(ada, "workspaces.create", made)).slug).toBe("half");
});
