import "../tokens.css";
import "../base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { addressOf, tokenOf } from "./address.ts";
import { AnswerApp } from "./app.tsx";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <AnswerApp address={addressOf(location.pathname, location.search)} token={tokenOf(location)} />
  </StrictMode>,
);
