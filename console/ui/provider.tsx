import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { ToastArea } from "./toast.tsx";
import { TooltipProvider } from "./tooltip.tsx";

/**
 * The context that the components need. The page's content security policy forbids style elements, so Base UI adds
 * none.
 */
export const UiProvider = ({ children }: { children: ReactNode }) => (
  <CSPProvider disableStyleElements>
    <TooltipProvider>
      {children}
      <ToastArea />
    </TooltipProvider>
  </CSPProvider>
);
