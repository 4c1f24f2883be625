import { Suspense, useEffect, useMemo } from "react";
import type { StepFormContext } from "../../forms/step/context.ts";
import { StepForm } from "../../forms/step/step-form.tsx";
import { useLeft } from "../../forms/step/use-left.ts";
import { words } from "../../messages/en-inspector.ts";
import { lazy } from "../../ui/lazy.tsx";
import { useBuilder } from "../builder-context.tsx";
import { dataOf, setNodeValue, typeOf as nodeTypeOf, useDocumentOf } from "../document/index.ts";
import { invalidTextsOf } from "../invalid-texts.ts";
import type { NodeType } from "../node-types.ts";
import { faultsBelow } from "./faults-below.ts";
import styles from "./inspector.module.css";
import { PICKERS } from "./pickers/pickers.tsx";
import { scopeOf } from "./scope.ts";
import type { StepSample } from "./use-step-sample.ts";

const StartedBy = lazy(() => import("./started-by.tsx"), "StartedBy");

const ANY_DATA = { type: "object" };

interface SetupProps {
  nodeId: string;
  sample: StepSample;
  /** Whether the step was just added. */
  fresh: boolean;
}

/** The context that the fields of a step share. It stays the same object while the user types into a field. */
function useDataForm(
  { nodeId, fresh, sample: { samples, previews } }: SetupProps,
  info: NodeType | undefined,
): StepFormContext {
  const { doc, nodeTypes, readOnly, faults } = useBuilder();
  const own = faults.get(nodeId);
  return useMemo(
    () => ({
      nodeId,
      root: info?.dataSchema ?? ANY_DATA,
      change: (pointer, value) => void doc.apply(setNodeValue(nodeId, `/data${pointer}`, value)),
      faults: faultsBelow(own, "/data"),
      fresh,
      previews,
      scope: () => scopeOf(doc.getState(), nodeId, nodeTypes, samples),
      literal: info?.literal ?? false,
      textsBelow: info?.later ? `/${info.later}` : undefined,
      readOnly,
      unread: invalidTextsOf(doc, nodeId),
      pickers: PICKERS,
    }),
    [info, doc, nodeId, own, fresh, previews, nodeTypes, samples, readOnly],
  );
}

/** The form of a step's data. */
export function SetupTab(props: SetupProps) {
  const { nodeId, sample, fresh } = props;
  const { doc, typeOf, nodeTypes, faults } = useBuilder();
  const type = useDocumentOf(doc, ({ nodes }) => nodeTypeOf(nodes.get(nodeId)));
  const info = typeOf(type);
  const data = useDocumentOf(doc, ({ nodes }) => dataOf(nodes.get(nodeId)));
  const context = useDataForm(props, info);
  const { previews } = sample;
  const { left, onBlur } = useLeft();
  const { literal } = context;
  useEffect(() => {
    if (!literal) previews.show(data);
  }, [previews, data, literal]);
  const isUnknown = info === undefined && nodeTypes !== undefined;
  // The notice says already that there is no such type.
  const own = (faults.get(nodeId) ?? []).filter(({ path }) => !isUnknown || path !== "/type");
  const others = own.filter(({ path }) => path === "/data" || !/^\/(data|policy)\//.test(path));
  return (
    <div role="presentation" className={styles.form} onBlur={onBlur}>
      {isUnknown ? <p className={styles.notice}>{words.unknownType(type)}</p> : null}
      {(fresh && !left ? [] : others).map(({ path, message }) => (
        <p key={`${path} ${message}`} className={styles.fault}>
          {message}
        </p>
      ))}
      {nodeTypes ? <StepForm context={context} schema={context.root} value={data} /> : null}
      {info?.category === "start" ? (
        <Suspense fallback={null}>
          <StartedBy />
        </Suspense>
      ) : null}
    </div>
  );
}
