import { m } from "../../messages/index.ts";
import { Page } from "../../ui/page.tsx";

export const WorkflowsPage = () => <Page title={m.workflows.title}>{null}</Page>;
