// Every component of `ui/` in each of its states, at /stories.html of `npm run console`. Builds do not contain it.
import "../tokens.css";
import "../base.css";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { UiProvider } from "../ui/provider.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Contents } from "./content.tsx";
import { Controls } from "./controls.tsx";
import { Overlays } from "./overlays.tsx";
import styles from "./stories.module.css";

function Setting({ name, values }: { name: "theme" | "density"; values: readonly string[] }) {
  const [value, setValue] = useState(values[0]!);
  useEffect(() => {
    if (value === values[0]) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = value;
  }, [name, value, values]);
  return (
    <Segmented
      label={<span className="visually-hidden">{name}</span>}
      value={value}
      onChange={setValue}
      options={values.map(one => ({ value: one, label: one }))}
    />
  );
}

const THEMES = ["system", "light", "dark"];
const DENSITIES = ["default", "compact", "roomy"];

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <UiProvider>
      <main className={styles.page}>
        <header className={styles.head}>
          <h1>Stories</h1>
          <Setting name="theme" values={THEMES} />
          <Setting name="density" values={DENSITIES} />
        </header>
        <Overlays />
        <Controls />
        <Contents />
      </main>
    </UiProvider>
  </StrictMode>,
);
