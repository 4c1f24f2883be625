import type { Json } from "../support/api.ts";
import { chain, imported, last, node } from "../support/n8n.ts";

const credentials = { smtp: { id: "3", name: "Office mail" } };
const wanted = { $credential: { name: "Office mail", type: "smtp" } };
const mail = (parameters: object, typeVersion = 2.1): Json =>
  node(
    "emailSend",
    { fromEmail: "shop@example.com", toEmail: "ada@example.com", subject: "Hi", ...parameters },
    {
      credentials,
      typeVersion,
    },
  );
const base = { credential: wanted, from: "shop@example.com", to: "ada@example.com", subject: "Hi" };

it.each<[string, Json, object]>([
  [
    "of version 1",
    mail({ text: "A", html: "<p>B</p>", ccEmail: "c@example.com" }, 1),
    { text: "A", html: "<p>B</p>", cc: "c@example.com" },
  ],
  ["as text", mail({ emailFormat: "text", text: "A", html: "B" }), { text: "A" }],
  ["as HTML", mail({ html: "<p>{{ x }}</p>", text: "A" }), { html: '<p>{{ "{{" }} x }}</p>' }],
  [
    "with more recipients",
    mail({
      ...{ toEmail: "ada@example.com, Jane <jane@example.com>,", emailFormat: "text", text: "=Order {{ $json.n }}" },
      options: { ccEmail: "", bccEmail: "b@example.com", replyTo: "r@example.com", appendAttribution: false },
    }),
    {
      to: ["ada@example.com", "Jane <jane@example.com>"],
      text: "Order {{ input.n }}",
      bcc: "b@example.com",
      replyTo: "r@example.com",
    },
  ],
])("turns a mail %s into an email step", (_, given, data) => {
  expect(last(given)).toMatchObject({ type: "email" });
  expect(last(given).data).toEqual({ ...base, ...data });
});

it("names the parts of a mail that a person must check", () => {
  const given = mail({ toEmail: "={{ $json.to }}", html: "x", options: { attachments: "data" } });
  const { warnings, definition } = imported(chain(node("manualTrigger"), { ...given, credentials: {} }));
  expect(definition.nodes.at(-1)!.data).toMatchObject({ to: "{{ input.to }}" });
  const said = warnings.map(({ message }) => message).join("\n");
  for (const words of ["a text is one recipient", "attachments are left out", "Choose a credential of the type `smtp`"])
    expect(said).toContain(words);
});

it("keeps a mail node unchanged that waits for an answer", () => {
  expect(last(mail({ operation: "sendAndWait", message: "?" })).data.note).toContain('the operation "sendAndWait"');
});
