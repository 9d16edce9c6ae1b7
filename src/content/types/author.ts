import { defineBuiltInType } from "./content-type.ts";

export const author = defineBuiltInType({
  name: "author",
  label: "Author",
  plural: "Authors",
  description: "A person or body to whom works or quotations are ascribed.",
  listPath: "/authors",
  fields: {
    sort_name: {
      kind: "text",
      label: "Sort name",
      description: "The name as an index lists it: family name first.",
      sort: true,
    },
    born: { kind: "partial_date", label: "Born", filter: true, sort: true },
    died: { kind: "partial_date", label: "Died", filter: true, sort: true },
    aliases: { kind: "text_list", label: "Also known as" },
    portrait: {
      kind: "text",
      label: "Portrait",
      description: "The address of a picture of this site, such as /media/….jpg.",
    },
    portrait_credit: {
      kind: "text",
      label: "Credit of the portrait",
      description: "Who made the picture, and under which licence it is shown.",
    },
    same_as: {
      kind: "text_list",
      label: "Elsewhere",
      description: "Addresses of authority records that describe the same person.",
    },
  },
  relations: {},
  defaultSort: "sort_name",
  schemaOrg: "Person",
  portrait: { picture: "portrait", credit: "portrait_credit" },
});
