import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Bot, Ellipsis, MessageSquarePlus, Plus, Workflow } from "lucide-react";
import { useEffect, useRef } from "react";
import { builderSpot } from "../../data/paths.ts";
import {
  conversationQuery,
  earlierMessages,
  inputOf,
  makeAgent,
  newConversationId,
  useSendMessage,
} from "../../data/playground.ts";
import { isAway, problemOf } from "../../data/problem.ts";
import { workflowQuery, type WorkflowRow, workflowsQuery } from "../../data/workflows.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { words } from "../../messages/en-playground.ts";
import { RoleButton } from "../../shell/role-button.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass, IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Select } from "../../ui/select.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure, Notice } from "../../ui/states.tsx";
import { AgentInfo } from "./agent-info.tsx";
import { Composer } from "./composer.tsx";
import { Message } from "./message.tsx";
import styles from "./playground.module.css";

/** How often the page asks whether a service that took no message answers again. */
const AGAIN_MS = 5_000;
const FROM = "/authed/w/$w/playground";

/** A conversation with one workflow. */
function Conversation({ flow }: { flow: WorkflowRow }) {
  const { id: workspaceId } = useWorkspace();
  const { talk: conversation } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: "/w/$w/playground" });
  const { data: workflow, error, refetch } = useQuery(workflowQuery(workspaceId, flow));
  const { data: runs = [] } = useQuery(conversationQuery(workspaceId, conversation));
  const sending = useSendMessage(workspaceId);
  const { error: unsent, reset } = sending;
  // The message stays in its field. The notice goes once the service answers again.
  useEffect(() => {
    if (!isAway(unsent)) return;
    const look = () => void refetch().then(({ isSuccess }) => isSuccess && reset());
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, [unsent, refetch, reset]);
  const end = useRef<HTMLDivElement>(null);
  const shown = conversation === undefined ? [] : runs;
  // In newer browsers scrolling returns a promise, which must not become the cleanup of the effect.
  useEffect(() => void end.current?.scrollIntoView({ block: "nearest" }), [shown.length]);
  if (error && !workflow) return <Failure problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!workflow) return <SkeletonRows rows={4} />;
  const { message, thread, messages, lacks } = inputOf(workflow.definition);
  const send = async (text: string, sent: () => void) => {
    const at = conversation ?? newConversationId();
    const earlier = messages ? await earlierMessages(workspaceId, shown, message) : [];
    const input = { [message]: text, ...(thread && { threadId: at }), ...(messages && { messages: earlier }) };
    const onSuccess = () => {
      sent();
      if (conversation === undefined) void navigate({ search: { flow: flow.id, talk: at }, replace: true });
    };
    sending.mutate({ workflow, conversation: at, input }, { onSuccess });
  };
  return (
    <div className={styles.layout}>
      <Card>
        <div className={styles.messages} role="log" aria-label={words.title}>
          {shown.length === 0 ? (
            <Empty small icon={<Bot size={20} aria-hidden />} title={words.begin}>
              {words.beginDetail(flow.name)}
            </Empty>
          ) : (
            shown.map(run => <Message key={run.id} run={run} field={message} />)
          )}
          <div ref={end} />
        </div>
        <Composer
          key={flow.id}
          onSend={(text, sent) => void send(text, sent)}
          busy={sending.isPending}
          error={unsent}
          blocked={lacks.length > 0 ? words.cannot(lacks.join(", ")) : undefined}
        />
      </Card>
      <aside className={styles.about} aria-label={words.about}>
        <AgentInfo definition={workflow.definition} />
      </aside>
    </div>
  );
}

/** The playground: users chat with the agents of their workflows, watch what these do, and approve it in place. */
export function PlaygroundPage() {
  const { id: workspaceId, slug: w, role } = useWorkspace();
  const isNarrow = useMedia("(max-width: 719px)");
  const { flow: wanted } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: "/w/$w/playground" });
  const query = useQuery(workflowsQuery(workspaceId));
  const { data: installation } = useQuery(installationQuery);
  const flows = query.data?.filter(({ id, agents = 1 }) => agents > 0 || id === wanted) ?? [];
  const flow = flows.find(({ id }) => id === wanted) ?? flows[0];
  const make = useMutation({
    mutationFn: () => makeAgent(workspaceId),
    onSuccess: async made => {
      await query.refetch();
      void navigate({ search: { flow: made.id } });
    },
  });
  const makeButton = (
    <RoleButton
      least="editor"
      tone={flow ? "plain" : "primary"}
      icon={<Plus size={14} aria-hidden />}
      busy={make.isPending}
      onClick={() => make.mutate()}
    >
      {words.make}
    </RoleButton>
  );
  const content = () => {
    if (query.error && !query.data) {
      return (
        <Card>
          <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        </Card>
      );
    }
    if (!query.data) {
      return (
        <Card flush>
          <SkeletonRows rows={5} />
        </Card>
      );
    }
    if (!flow) {
      return (
        <Card>
          <Empty icon={<Bot size={20} aria-hidden />} title={words.empty} action={makeButton}>
            {words.emptyDetail}
          </Empty>
        </Card>
      );
    }
    return <Conversation key={flow.id} flow={flow} />;
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        flow ? (
          <>
            {isNarrow ? null : (
              <>
                {makeButton}
                <Link {...builderSpot(w, flow)} className={buttonClass({})}>
                  {words.open}
                </Link>
              </>
            )}
            <Button
              icon={<MessageSquarePlus size={14} aria-hidden />}
              onClick={() => void navigate({ search: { flow: flow.id } })}
            >
              {words.newTalk}
            </Button>
            {isNarrow ? (
              <Menu
                align="end"
                trigger={
                  <IconButton tone="plain" label={words.more}>
                    <Ellipsis size={16} aria-hidden />
                  </IconButton>
                }
              >
                <MenuItem
                  icon={<Workflow size={16} aria-hidden />}
                  onSelect={() => void navigate(builderSpot(w, flow))}
                >
                  {words.open}
                </MenuItem>
                {includesRole(role, "editor") ? (
                  <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={() => make.mutate()}>
                    {words.make}
                  </MenuItem>
                ) : null}
              </Menu>
            ) : null}
          </>
        ) : undefined
      }
    >
      {installation?.chatModel === null ? (
        <Notice tone="warn" action={<a href="/docs/models">{words.noModelDocs}</a>}>
          {words.noModel}
        </Notice>
      ) : null}
      {flow && flows.length > 1 ? (
        <div className={styles.choose}>
          <Select
            label={words.workflow}
            value={flow.id}
            options={flows.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={id => void navigate({ search: { flow: id } })}
          />
        </div>
      ) : null}
      {content()}
    </Page>
  );
}
