import type { MailContent } from "../../contracts/entities/mail.ts";
import { clip } from "../clip.ts";

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** A paragraph, or a link with its label. */
type Part = string | { label: string; link: string };

const MAX_NAME = 120;
const MAX_BODY = 2_000;
const MAX_SUBJECT = 150;

/** Control characters, including line ends, and characters that change the direction of text. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** A single line of text, which cannot begin a header or a paragraph. */
const oneLine = (value: string, max: number) => clip(value.replace(UNSEEN, " ").replace(/ {2,}/g, " ").trim(), max);

/** A name that a person chose, in quotation marks, so that it does not read as part of the sentence. */
const named = (value: string) => `“${oneLine(value, MAX_NAME).replace(/[“”]/g, "'")}”`;

const escapeHtml = (value: string) => value.replace(/[&<>"']/g, char => `&#${char.codePointAt(0)};`);

interface Draft {
  subject: string;
  parts: Part[];
}

const IGNORE = "If you did not ask for this, ignore this mail. Nothing changes.";

function draftOf(content: MailContent): Draft {
  switch (content.template) {
    case "password-reset":
      return {
        subject: "Set a new password for Weft",
        parts: [
          "Someone, probably you, asked for a new password for your account.",
          { label: "Set a new password", link: content.link },
          `The link works once, for ${content.minutes} minutes. ${IGNORE}`,
        ],
      };
    case "password-changed":
      return {
        subject: "Your password for Weft was changed",
        parts: [
          "The password of your account was changed, and other sessions have ended.",
          "If it was not you, set a new password at once:",
          { label: "Forgotten password", link: `${content.publicUrl}/forgot-password` },
        ],
      };
    case "invite":
      return {
        subject: `You are invited to ${named(content.workspace)}`,
        parts: [
          `${named(content.invitedBy)} invites you to the workspace ${named(content.workspace)} with the role ${oneLine(content.role, 20)}.`,
          { label: "See the invitation", link: content.link },
          `The link works for ${content.days} days. If you do not know the sender, ignore this mail.`,
        ],
      };
    case "confirm-address":
      return {
        subject: content.isNew ? "Confirm your address for Weft" : "Your address for Weft is about to change",
        parts: [
          `Someone, probably you, wants to change the address of an account to ${named(content.newAddress)}. The change takes effect when both addresses have confirmed it.`,
          { label: content.isNew ? "Confirm this address" : "Confirm the change", link: content.link },
          `The link works for ${content.hours} hours. ${IGNORE}`,
        ],
      };
    case "factors-changed":
      return {
        subject: "How you sign in to Weft has changed",
        parts: [
          oneLine(content.what, MAX_NAME),
          "If it was not you, set a new password at once and look at your sessions:",
          { label: "Your account", link: `${content.publicUrl}/me` },
        ],
      };
    case "question":
      return {
        subject: oneLine(content.title, MAX_SUBJECT),
        parts: [
          oneLine(content.body, MAX_BODY),
          { label: "Answer the question", link: content.link },
          "The link is for you alone. It works once, as long as the question is open. Anyone who has it can answer in your name.",
        ],
      };
    case "notifications":
      return notificationsDraft(content);
  }
}

function notificationsDraft({ items, more, settingsLink }: MailContent & { template: "notifications" }): Draft {
  const [first] = items;
  const parts = items.flatMap(({ title, body, link }): Part[] => {
    const label = oneLine(title, MAX_SUBJECT);
    const said = oneLine(body, MAX_BODY);
    return [link === null ? label : { label, link }, ...(said ? [said] : [])];
  });
  const count = items.length + more;
  return {
    subject: count === 1 && first ? first.title : `${count} notifications`,
    parts: [
      ...parts,
      ...(more > 0 ? [`There are ${more} more.`] : []),
      { label: "Choose which mails you get", link: settingsLink },
    ],
  };
}

/** Only links that the service made get here. Other texts would not become links. */
const isWeb = (link: string) => /^https?:\/\/[^\s"'<>\\]+$/.test(link);

const asText = (part: Part) => (typeof part === "string" ? part : `${part.label}:\n${part.link}`);

function asHtml(part: Part): string {
  if (typeof part === "string") return `<p>${escapeHtml(part)}</p>`;
  const label = escapeHtml(part.label);
  return isWeb(part.link) ? `<p><a href="${escapeHtml(part.link)}">${label}</a></p>` : `<p>${label}</p>`;
}

const STYLE = "font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:2em auto;padding:0 1em";

/** Renders a mail as plain text and HTML. Texts that people chose cannot add headers, lines, markup or links. */
export function renderMail(content: MailContent): RenderedMail {
  const { subject, parts } = draftOf(content);
  const body = parts.map(asHtml).join("\n");
  return {
    subject: oneLine(subject, MAX_SUBJECT),
    text: `${parts.map(asText).join("\n\n")}\n`,
    html: `<!doctype html>\n<html lang="en"><meta charset="utf-8"><body style="${STYLE}">\n${body}\n</body></html>\n`,
  };
}
