import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, Star, Trash2 } from "lucide-react";
import { podsQuery, spaceLabel, spacesQuery } from "../../data/spaces.ts";
import { words } from "../../messages/en-workflow-acts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Menu, MenuChoice } from "../../ui/menu.tsx";
import type { WorkflowsSearch } from "./search.ts";
import styles from "./filters.module.css";

interface FiltersProps {
  given: WorkflowsSearch;
  search: (change: WorkflowsSearch) => void;
}

/** Filters the list: by space, starred workflows, or the trash. */
export default function Filters({ given: { s, show }, search }: FiltersProps) {
  const { id } = useWorkspace();
  const { data: spaces = [] } = useQuery(spacesQuery(id));
  const { data: pods = [] } = useQuery({ ...podsQuery(id), enabled: spaces.length > 1 });
  const chosen = spaces.find(space => space.id === s);
  const label = chosen ? spaceLabel(chosen, pods) : words.allSpaces;
  const toggle = (what: NonNullable<WorkflowsSearch["show"]>) => search({ show: show === what ? undefined : what });
  return (
    <div className={styles.filters} role="group" aria-label={words.show}>
      <Chip on={show === "starred"} onToggle={() => toggle("starred")}>
        <Star size={13} aria-hidden /> {words.starred}
      </Chip>
      <Chip on={show === "trash"} onToggle={() => toggle("trash")}>
        <Trash2 size={13} aria-hidden /> {words.inTrash}
      </Chip>
      {/* The spaces arrive last, so they are the last. */}
      {spaces.length > 1 ? (
        <Menu
          trigger={
            <Button className={styles.space} aria-label={`${words.space}: ${label}`}>
              <span className={styles.label}>{label}</span>
              <ChevronsUpDown size={14} aria-hidden />
            </Button>
          }
        >
          <MenuChoice checked={chosen === undefined} onSelect={() => search({ s: undefined })}>
            {words.allSpaces}
          </MenuChoice>
          {spaces.map(space => (
            <MenuChoice key={space.id} checked={space.id === s} onSelect={() => search({ s: space.id })}>
              {spaceLabel(space, pods)}
            </MenuChoice>
          ))}
        </Menu>
      ) : null}
    </div>
  );
}
