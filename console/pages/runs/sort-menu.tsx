import { ArrowDownWideNarrow } from "lucide-react";
import { RUN_SORT_NAMES, type RunSort } from "../../data/runs.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuChoice, MenuGroup } from "../../ui/menu.tsx";

const nameOf = (sort: RunSort | undefined) => m.runs.sorts[sort ?? "newest"];

interface SortMenuProps {
  className?: string | undefined;
  sort: RunSort | undefined;
  onChange: (sort: RunSort | undefined) => void;
}

/** A menu with the orders of the list. */
export function SortMenu({ className, sort, onChange }: SortMenuProps) {
  const choice = (one: RunSort | undefined) => (
    <MenuChoice key={one} checked={one === sort} onSelect={() => onChange(one)}>
      {nameOf(one)}
    </MenuChoice>
  );
  return (
    <Menu
      trigger={
        <Button
          className={className}
          icon={<ArrowDownWideNarrow size={14} aria-hidden />}
          aria-label={`${m.runs.sort}: ${nameOf(sort)}`}
        >
          {nameOf(sort)}
        </Button>
      }
    >
      {choice(undefined)}
      <MenuGroup label={m.runs.haveEnded}>{RUN_SORT_NAMES.map(choice)}</MenuGroup>
    </Menu>
  );
}
