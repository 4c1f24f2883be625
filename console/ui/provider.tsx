import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { ToastArea } from "./toast.tsx";
import { TooltipProvider } from "./tooltip.tsx";

/** What the components need around the page. The policy allows no style elements, so Base UI adds none. */
export const UiProvider = ({ children }: { children: ReactNode }) => (
  <CSPProvider disableStyleElements>
    <TooltipProvider>
      {children}
      <ToastArea />
    </TooltipProvider>
  </CSPProvider>
);
