import { useNavigate, useSearch } from "@tanstack/react-router";
import { SHOWN } from "../../data/approvals.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Answered } from "./answered.tsx";
import { OpenQuestions } from "./open-questions.tsx";

const VIEWS = [...SHOWN, "answered"] as const;

export function ApprovalsPage() {
  const { show = "all" } = useSearch({ from: "/authed/w/$w/approvals" });
  const navigate = useNavigate({ from: "/w/$w/approvals" });
  const filter = (
    <Segmented
      label={<span className="visually-hidden">{answerTexts.approvals.show}</span>}
      value={show}
      options={VIEWS.map(value => ({ value, label: answerTexts.approvals.shown[value] }))}
      onChange={next => void navigate({ search: { show: next === "all" ? undefined : next } })}
    />
  );
  return (
    <Page title={answerTexts.approvals.title} actions={filter}>
      {show === "answered" ? <Answered /> : <OpenQuestions shown={show} />}
    </Page>
  );
}
