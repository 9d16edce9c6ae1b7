import { defineBuiltInType } from "./content-type.ts";

export const work = defineBuiltInType({
  name: "work",
  label: "Work",
  plural: "Works",
  description: "A book, essay, speech or other work from which quotations come.",
  listPath: "/works",
  fields: {
    kind: {
      kind: "enum",
      label: "Kind",
      values: ["book", "essay", "speech", "letter", "article", "poem", "scripture", "other"],
      filter: true,
    },
    year: {
      kind: "integer",
      label: "Year",
      description: "Year of first publication; negative for years BCE.",
      filter: true,
      sort: true,
    },
    original_language: { kind: "text", label: "Original language", filter: true },
    publisher: { kind: "text", label: "Publisher" },
    isbn: { kind: "text", label: "ISBN" },
    source_url: { kind: "url", label: "Source" },
    licence: { kind: "text", label: "Licence" },
  },
  relations: {
    authors: {
      label: "Authors",
      target: "author",
      many: true,
      inverse: { name: "works", label: "Works" },
    },
    part_of: {
      label: "Part of",
      target: "work",
      many: false,
      inverse: { name: "parts", label: "Parts" },
    },
    topics: {
      label: "Topics",
      target: "topic",
      many: true,
      inverse: { name: "works", label: "Works" },
    },
  },
  schemaOrg: "CreativeWork",
});
