import { m } from "../../messages/index.ts";
import { Page } from "../../ui/page.tsx";

export const MePage = () => <Page title={m.me.title}>{null}</Page>;
