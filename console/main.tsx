import "./tokens.css";
import "./base.css";
import "./frame.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./data/query-client.ts";
import { knownSession } from "./data/session.ts";
import { m } from "./messages/index.ts";
import { loadMatchingPage, router } from "./router.tsx";
import { onFailedPart } from "./ui/lazy.tsx";
import { UiProvider } from "./ui/provider.tsx";
import { followFocus } from "./ui/kept-focus.ts";
import { toast } from "./ui/toast.tsx";
import { showWholeTexts } from "./ui/whole-text.ts";

// Starts requests while the frame is drawn. The routes report a failure when they ask again.
knownSession().catch(() => undefined);
loadMatchingPage();
followFocus();
showWholeTexts();
onFailedPart(() => toast.failed(m.problem.notLoaded, m.problem.notLoadedDetail));

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  </StrictMode>,
);
