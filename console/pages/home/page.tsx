import { m } from "../../messages/index.ts";
import { Page } from "../../ui/page.tsx";

export const HomePage = () => <Page title={m.home.title}>{null}</Page>;
