import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { m } from "../messages/index.ts";
import { buttonClass } from "../ui/button.tsx";
import { type WaysOn as Ways, WaysOnContext } from "../ui/ways-on.ts";

const HOME = (
  <Link to="/" className={buttonClass({})}>
    {m.places.home}
  </Link>
);

/** Leads on from pages below it whose address leads to nothing. */
export const WaysOn = ({ search, children }: Pick<Ways, "search"> & { children: ReactNode }) => (
  <WaysOnContext value={{ home: HOME, search }}>{children}</WaysOnContext>
);
