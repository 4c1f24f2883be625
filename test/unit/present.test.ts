import { z } from "zod";
import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { date, json, nullable, number, optional, optionalOrNull, string } from "../../adapters/store/field-types.ts";
import { presenter } from "../../service-kit/present.ts";

const books = defineCollection({
  name: "books",
  tenant: true,
  fields: {
    title: string(),
    subtitle: nullable(string()),
    readAt: optionalOrNull(date()),
    shelf: optional(string()),
    tags: json<string[]>(),
    secretHash: string(),
    createdAt: date(),
  },
});
type Book = DocumentOf<typeof books>;

const fields = {
  id: z.string(),
  title: z.string(),
  subtitle: z.string().nullable(),
  readAt: z.string().nullable(),
  shelf: z.string().optional(),
  tags: z.array(z.string()),
  createdAt: z.string(),
};

const doc: Book = {
  id: "b1",
  workspaceId: "w1",
  title: "Weaving",
  subtitle: null,
  tags: ["craft"],
  secretHash: "h",
  createdAt: new Date(0),
};

describe("a presenter", () => {
  it("returns only the entity's fields, with dates as text, and missing ones as null or not at all", () => {
    expect(presenter(z.object(fields), books)(doc)).toStrictEqual({
      id: "b1",
      title: "Weaving",
      subtitle: null,
      readAt: null,
      tags: ["craft"],
      createdAt: "1970-01-01T00:00:00.000Z",
    });
    expect(presenter(z.object(fields), books)({ ...doc, shelf: "A", readAt: new Date(1) })).toMatchObject({
      shelf: "A",
      readAt: "1970-01-01T00:00:00.001Z",
    });
  });

  it("prefers given values to those of the document", () => {
    const entity = z.object({ ...fields, pages: z.number(), title: z.string() });
    const present = presenter(entity, books, (book, pages: number) => ({ pages, title: `The ${book.title}` }));
    expect(present(doc, 12)).toMatchObject({ pages: 12, title: "The Weaving", subtitle: null });
  });

  it("does not compile if a field of the entity has no source, or another form", () => {
    // @ts-expect-error -- no document has pages
    presenter(z.object({ ...fields, pages: z.number() }), books);
    // @ts-expect-error -- documents hold a text
    presenter(z.object({ ...fields, title: z.number() }), books);
    // @ts-expect-error -- it is not given either
    presenter(z.object({ ...fields, pages: z.number() }), books, () => ({ title: "A" }));
    expect(number().required).toBe(true);
  });
});
