import { barriersOn, follow, go, isView, openWholeConsole, type WholeConsole } from "./support/whole-console.ts";

let all: WholeConsole;

beforeAll(async () => {
  all = await openWholeConsole();
});
afterAll(() => all?.browser.close());

it("no empty page has accessibility violations", async () => {
  const admin = all.colleagues.get("admin")!;
  const found = await barriersOn(all, admin, all.empty, (visited, path) => go(all, visited, path));
  expect(found).toMatchObject({ barriers: [], faults: [] });
});

const PROBLEM = {
  status: 422,
  contentType: "application/problem+json",
  body: JSON.stringify({
    ...{ type: "/docs/api#errors", title: "The input is not valid", status: 422, code: "validation_failed" },
    ...{ detail: "The store does not answer.", requestId: "0198c1d2-0000-7000-8000-000000000000" },
  }),
};

it.each(["failing", "loading"])("no page has accessibility violations while it is %s", async state => {
  const { owner, full } = all;
  const isData = ({ pathname }: URL) => pathname.startsWith(`/v1/workspaces/${owner.workspaceId}/`);
  const found = await barriersOn(
    all,
    owner,
    // One of each kind: the views of a page load and fail alike.
    full.filter(path => !isView(path)),
    async ({ page }, path) => {
      await follow(all, page, path);
      const shown = state === "failing" ? page.getByRole("alert") : page.getByRole("status");
      await shown.or(page.getByRole("heading")).first().waitFor();
    },
    ({ guard, context }) => {
      guard.allow(/status of 422/);
      return context.route(isData, route => (state === "failing" ? route.fulfill(PROBLEM) : undefined));
    },
  );
  expect(found).toMatchObject({ barriers: [], faults: [] });
});
