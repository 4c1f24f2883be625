import { useNavigate, useSearch } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { SearchField } from "../../ui/search-field.tsx";
import styles from "./operator.module.css";

/** The search of a list, stored in the address. */
export function useListSearch(tab: "users" | "workspaces", label: string) {
  const { q = "" } = useSearch({ from: "/authed/operator/$tab" });
  const navigate = useNavigate();
  const field = (
    <div className={styles.search}>
      <SearchField
        label={label}
        icon={<Search size={14} aria-hidden />}
        value={q}
        onChange={next =>
          void navigate({ to: "/operator/$tab", params: { tab }, search: { q: next || undefined }, replace: true })
        }
      />
    </div>
  );
  return { search: q.trim().toLowerCase(), field };
}
