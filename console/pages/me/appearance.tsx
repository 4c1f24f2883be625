import { Monitor, Moon, Sun } from "lucide-react";
import { choose, usePreferences } from "../../data/preferences.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { Card } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";

/** Choices take effect at once, in every browser of the user. */
export function AppearanceCard() {
  const { theme, density, motion, keys } = usePreferences();
  return (
    <Card title={account.me.appearance}>
      <Segmented
        label={account.me.theme}
        value={theme}
        onChange={next => void choose({ theme: next })}
        options={[
          { value: "system", label: m.shell.themes.system, icon: <Monitor size={14} aria-hidden /> },
          { value: "light", label: m.shell.themes.light, icon: <Sun size={14} aria-hidden /> },
          { value: "dark", label: m.shell.themes.dark, icon: <Moon size={14} aria-hidden /> },
        ]}
      />
      <Segmented
        label={account.me.density}
        value={density}
        onChange={next => void choose({ density: next })}
        options={(["compact", "normal", "roomy"] as const).map(value => ({
          value,
          label: account.me.densities[value],
        }))}
      />
      <Segmented
        label={account.me.motion}
        value={motion}
        onChange={next => void choose({ motion: next })}
        options={(["system", "none"] as const).map(value => ({ value, label: account.me.motions[value] }))}
      />
      <Segmented
        label={account.me.keys}
        hint={account.me.keysHint}
        value={keys}
        onChange={next => void choose({ keys: next })}
        options={(["on", "off"] as const).map(value => ({ value, label: account.me.keyChoices[value] }))}
      />
    </Card>
  );
}
