import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Boxes, Ellipsis, Gauge, Trash2, UserRoundCog } from "lucide-react";
import { useState } from "react";
import { type OperatedWorkspace, operatedWorkspacesQuery } from "../../data/operator.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { PagedList } from "../../shell/paged-list.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import rows from "../../ui/rows.module.css";
import { useListSearch } from "./list-search.tsx";
import { QuotasDialog } from "./quotas-dialog.tsx";
import { OwnerDialog, RemoveDialog } from "./workspace-dialogs.tsx";

type Act = "quotas" | "owner" | "remove";
const icon = { size: 16, "aria-hidden": true } as const;

function Row({ workspace, onAct }: { workspace: OperatedWorkspace; onAct: (act: Act) => void }) {
  const { name, slug, owners, members, createdAt } = workspace;
  const people = owners.map(owner => owner.email ?? owner.id).join(", ");
  return (
    <li className={rows.row}>
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {slug} · {people || words.noOwner} · {words.members(members)} · <Time at={createdAt} />
        </span>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label={words.actsOf(name)}>
            <Ellipsis {...icon} />
          </IconButton>
        }
      >
        <MenuItem icon={<Gauge {...icon} />} onSelect={() => onAct("quotas")}>
          {words.quotas}
        </MenuItem>
        <MenuItem icon={<UserRoundCog {...icon} />} onSelect={() => onAct("owner")}>
          {words.owner}
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 {...icon} />} onSelect={() => onAct("remove")}>
          {words.removeSpace}
        </MenuItem>
      </Menu>
    </li>
  );
}

/** All workspaces: their owners, sizes and quotas, but none of their content. */
export function WorkspacesSection() {
  const { search, field } = useListSearch("workspaces", words.searchSpaces);
  const query = useInfiniteQuery({ ...operatedWorkspacesQuery(search), placeholderData: keepPreviousData });
  const [asked, setAsked] = useState<{ act: Act; workspace: OperatedWorkspace }>();
  const close = () => setAsked(undefined);
  const is = (act: Act) => (asked?.act === act ? asked.workspace : undefined);
  const [quotas, owner, removed] = [is("quotas"), is("owner"), is("remove")];
  return (
    <>
      <Card flush title={words.spaces} lead={words.spacesLead}>
        {field}
        <PagedList
          query={query}
          empty={
            <Empty
              small
              icon={<Boxes size={20} aria-hidden />}
              title={search === "" ? words.noSpaces : words.noSuchSpace}
            >
              {search === "" ? words.noSpacesDetail : words.noSuchSpaceDetail}
            </Empty>
          }
        >
          {workspace => <Row key={workspace.id} workspace={workspace} onAct={act => setAsked({ act, workspace })} />}
        </PagedList>
      </Card>
      {quotas ? <QuotasDialog key={quotas.id} workspace={quotas} onClose={close} /> : null}
      {owner ? <OwnerDialog key={owner.id} workspace={owner} onClose={close} /> : null}
      {removed ? <RemoveDialog key={removed.id} workspace={removed} onClose={close} /> : null}
    </>
  );
}
