import { defineBuiltInType, type FieldValue } from "./content-type.ts";

export const quotation = defineBuiltInType({
  name: "quotation",
  label: "Quotation",
  plural: "Quotations",
  description: "A passage in an author’s words, with the place it comes from.",
  listPath: "/quotations",
  fields: {
    locator: {
      kind: "text",
      label: "Place",
      description: "Where in the work it stands: chapter, page, verse.",
      sort: true,
      numbered: true,
    },
    position: {
      kind: "integer",
      label: "Position",
      description:
        "Number of the passage in its work. Where it is stated, it decides the order in the work.",
      position: true,
    },
    year: { kind: "integer", label: "Year", filter: true, sort: true },
    verification: {
      kind: "enum",
      label: "Verification",
      description: "How far the ascription has been checked against a source.",
      values: ["verified", "attributed", "disputed", "misattributed"],
      cautions: ["disputed", "misattributed"],
      filter: true,
    },
    featured: {
      kind: "boolean",
      label: "Editors’ choice",
      description: "Comes first in the lists it belongs to.",
      filter: true,
    },
    original_text: { kind: "markdown", label: "Original text" },
    translator: { kind: "text", label: "Translator" },
  },
  relations: {
    authors: {
      label: "Authors",
      target: "author",
      many: true,
      inverse: { name: "quotations", label: "Quotations" },
    },
    work: {
      label: "Work",
      target: "work",
      many: false,
      inverse: { name: "quotations", label: "Quotations" },
    },
    topics: {
      label: "Topics",
      target: "topic",
      many: true,
      inverse: { name: "quotations", label: "Quotations" },
    },
  },
  defaultSort: "best",
  schemaOrg: "Quotation",
});

/** The degree to which the attribution of a quotation is verified; undefined: not stated. */
export function verificationOf(fields: Readonly<Record<string, FieldValue>>): string | undefined {
  const { verification } = fields;
  return typeof verification === "string" ? verification : undefined;
}
