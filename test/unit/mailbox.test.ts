import { readMailbox } from "../../core/mail/mailbox.ts";

test.each([
  ["ada@example.com", "", "ada@example.com"],
  [" Ada Lovelace <ada@example.com> ", "Ada Lovelace", "ada@example.com"],
  ['"Lovelace, Ada" <ada+tag@example.com>', "Lovelace, Ada", "ada+tag@example.com"],
  ["<ada@example.com>", "", "ada@example.com"],
  ["größe@exämple.com", "", "größe@exämple.com"],
])("accepts %j as one mailbox", (text, name, address) => {
  expect(readMailbox(text)).toEqual({ name, address });
});

test.each([
  "",
  "ada",
  "@example.com",
  "ada@",
  "a@b@c",
  "a@example.com, b@example.com",
  "a@example.com;b@example.com",
  "all: a@example.com;",
  "Ada <a@example.com> <b@example.com>",
  "Ada <a@example.com>, b@example.com",
  "a@example.com\nBcc: b@example.com",
  "Ada\r\nBcc: b <a@example.com>",
  "a\0@example.com",
  "a @example.com",
  `${"a".repeat(65)}@example.com`,
  `Ada <${"a".repeat(500)}@example.com>`,
])("rejects %j", text => {
  expect(readMailbox(text)).toBeUndefined();
});
