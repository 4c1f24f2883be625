import { m } from "../../messages/index.ts";
import { Page } from "../../ui/page.tsx";

export const RunsPage = () => <Page title={m.runs.title}>{null}</Page>;
