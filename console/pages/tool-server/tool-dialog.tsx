import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { recordIn } from "../../data/json-text.ts";
import { isRecord } from "../../data/json.ts";
import { faultsIn, problemOf } from "../../data/problem.ts";
import { descriptionOf } from "../../data/tool-description.ts";
import { type McpTool, type SourceKind, toolQuery, useCallTool } from "../../data/tools.ts";
import { faultsOf, faultsOfService, NO_FAULTS } from "../../forms/check.ts";
import { fieldOf } from "../../forms/schema.ts";
import { focusFault, SchemaForm } from "../../forms/schema-form.tsx";
import { hasContent, initialOf } from "../../forms/values.ts";
import { words } from "../../messages/en-tools.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import { focusLate } from "../../ui/first-focus.ts";
import forms from "../../ui/form.module.css";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, ProblemNotice } from "../../ui/states.tsx";
import { CallResult } from "./call-result.tsx";
import { UsersOfTool } from "./used-by.tsx";
import styles from "./server.module.css";

/** The value of a form without empty fields. */
const filled = (value: unknown): Record<string, unknown> =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([, one]) => hasContent(one) || one === false))
    : {};

/** Calls a tool. The arguments come from a form for its schema, or from JSON. */
function TryIt({ tool }: { tool: McpTool }) {
  const { id: workspaceId } = useWorkspace();
  const call = useCallTool(workspaceId);
  const field = fieldOf(tool.inputSchema);
  const isForm = field.kind === "object";
  const takesNothing = isForm && field.properties.length === 0;
  const [as, setAs] = useState<"form" | "json">(isForm ? "form" : "json");
  const [value, setValue] = useState<unknown>(() => initialOf(field));
  const [text, setText] = useState("{}");
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The dialog opens before the tool is read.
  useEffect(() => focusLate(form.current), []);
  const given = as === "form" ? filled(value) : recordIn(text);
  const local = as === "form" && tried ? faultsOf(tool.inputSchema, given) : NO_FAULTS;
  const said = faultsOfService(faultsIn(call.error), "/arguments");
  const faults = local.size > 0 ? local : said;
  const refused = faultsIn(call.error)
    .map(({ path, message }) => `${path}: ${message}`)
    .join(" · ");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!given || (as === "form" && faultsOf(tool.inputSchema, given).size > 0)) {
      return void requestAnimationFrame(() => focusFault(form.current));
    }
    call.mutate({ toolId: tool.id, arguments: given });
  };
  const choose = (next: "form" | "json") => {
    if (next === "json" && given) setText(JSON.stringify(given, null, 2));
    const typed = recordIn(text);
    if (next === "form" && typed) setValue(typed);
    setAs(next);
  };
  return (
    <form ref={form} className={forms.form} noValidate onSubmit={submit} aria-label={words.tool.tryIt}>
      {isForm && !takesNothing ? (
        <Segmented
          label={words.tool.as}
          value={as}
          options={[
            { value: "form", label: words.tool.form },
            { value: "json", label: words.tool.json },
          ]}
          onChange={choose}
        />
      ) : null}
      {takesNothing ? (
        <p>{words.tool.noArguments}</p>
      ) : (
        <div className={forms.form} data-begins>
          {as === "form" ? (
            <SchemaForm field={field} value={value} onChange={setValue} faults={faults} />
          ) : (
            <TextArea
              code
              label={words.tool.arguments}
              error={tried && !given ? words.tool.badJson : undefined}
              rows={6}
              spellCheck={false}
              value={text}
              onChange={event => setText(event.target.value)}
            />
          )}
        </div>
      )}
      <div className={forms.acts}>
        <Button tone="primary" type="submit" busy={call.isPending}>
          {words.tool.call}
        </Button>
        <span className={styles.hint}>{words.tool.calls}</span>
      </div>
      {call.error ? <ProblemNotice problem={problemOf(call.error)} {...(refused && { detail: refused })} /> : null}
      {call.data ? <CallResult {...call.data} name={tool.name} /> : null}
    </form>
  );
}

/** Statements about how a tool changes things. They mean nothing for one that only reads. */
const OF_CHANGES = ["destructiveHint", "idempotentHint"];

/** The server's own statements about the effects of a tool. They need not be true. */
const hintsOf = (annotations: Record<string, unknown> | null | undefined): string[] =>
  Object.entries(words.tool.hint).flatMap(([name, [yes, no]]) => {
    if (annotations?.readOnlyHint === true && OF_CHANGES.includes(name)) return [];
    const value = annotations?.[name];
    return value === true ? [yes] : value === false ? [no] : [];
  });

interface ToolDialogProps {
  kind: SourceKind;
  toolId: string;
  onClose: () => void;
}

/** A tool: its description, its arguments, and a form to call it. */
export function ToolDialog({ kind, toolId, onClose }: ToolDialogProps) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: tool, error, refetch } = useQuery(toolQuery(workspaceId, toolId));
  const hints = hintsOf(tool?.annotations);
  const description = tool ? descriptionOf(tool) : "";
  return (
    <Dialog open wide onClose={onClose} title={tool?.title ?? tool?.name ?? words.title}>
      {tool ? (
        <div className={styles.tool}>
          {tool.title && tool.title !== tool.name ? <code>{tool.name}</code> : null}
          {description === "" ? null : <p className={styles.description}>{description}</p>}
          {includesRole(role, "editor") ? <TryIt tool={tool} /> : null}
          <UsersOfTool kind={kind} tool={tool} />
          <details>
            <summary>{words.tool.schema}</summary>
            <ScrollRegion as="pre" className={styles.code} label={words.tool.schema}>
              {JSON.stringify(tool.inputSchema, null, 2)}
            </ScrollRegion>
          </details>
          {hints.length > 0 ? (
            <p className={styles.hint}>
              {words.tool.hints(kind === "api")} {hints.join(" ")}
            </p>
          ) : null}
        </div>
      ) : null}
      {!tool && error ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!tool && !error ? <SkeletonRows rows={5} /> : null}
    </Dialog>
  );
}
