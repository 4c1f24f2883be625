import { words } from "../../messages/en-playground.ts";
import { agentsOf, type AgentData } from "../../data/playground.ts";
import { Card } from "../../ui/page.tsx";
import styles from "./playground.module.css";

const length = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

function memoryText({ memory }: AgentData): string {
  if (!memory) return words.memories.none;
  return (memory as { ingest?: unknown }).ingest === true ? words.memories.write : words.memories.read;
}

function approveText({ approve }: AgentData): string {
  if (approve === "all") return words.approveAll;
  return length(approve) > 0 ? words.approveSome(length(approve)) : words.approveNone;
}

/** The instructions of each agent in the workflow, and the tools that it may use. */
export function AgentInfo({ definition }: { definition: unknown }) {
  return agentsOf(definition).map(({ id, name, data }) => (
    <Card key={id} title={name}>
      <dl className={styles.facts}>
        <dt>{words.instructions}</dt>
        <dd className={styles.system}>{data.system || words.noInstructions}</dd>
        <dt>{words.tools}</dt>
        <dd>{Array.isArray(data.toolIds) ? words.some(length(data.toolIds)) : words.allTools}</dd>
        <dt>{words.knowledge}</dt>
        <dd>{words.some(length(data.knowledgeBaseIds))}</dd>
        <dt>{words.memory}</dt>
        <dd>{memoryText(data)}</dd>
        <dt>{words.approve}</dt>
        <dd>{approveText(data)}</dd>
      </dl>
    </Card>
  ));
}
