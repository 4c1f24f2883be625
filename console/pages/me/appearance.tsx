import { Monitor, Moon, Sun } from "lucide-react";
import { choose, usePreferences } from "../../data/preferences.ts";
import { m } from "../../messages/index.ts";
import { Card } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";

/** Choices apply at once, in every browser of the person. */
export function AppearanceCard() {
  const { theme, density, motion, keys } = usePreferences();
  return (
    <Card title={m.me.appearance}>
      <Segmented
        label={m.me.theme}
        value={theme}
        onChange={next => void choose({ theme: next })}
        options={[
          { value: "system", label: m.me.themes.system, icon: <Monitor size={14} aria-hidden /> },
          { value: "light", label: m.me.themes.light, icon: <Sun size={14} aria-hidden /> },
          { value: "dark", label: m.me.themes.dark, icon: <Moon size={14} aria-hidden /> },
        ]}
      />
      <Segmented
        label={m.me.density}
        value={density}
        onChange={next => void choose({ density: next })}
        options={(["compact", "normal", "roomy"] as const).map(value => ({ value, label: m.me.densities[value] }))}
      />
      <Segmented
        label={m.me.motion}
        value={motion}
        onChange={next => void choose({ motion: next })}
        options={(["system", "none"] as const).map(value => ({ value, label: m.me.motions[value] }))}
      />
      <Segmented
        label={m.me.keys}
        hint={m.me.keysHint}
        value={keys}
        onChange={next => void choose({ keys: next })}
        options={(["on", "off"] as const).map(value => ({ value, label: m.me.keyChoices[value] }))}
      />
    </Card>
  );
}
