import { defineBuiltInType } from "./content-type.ts";

export const page = defineBuiltInType({
  name: "page",
  label: "Page",
  plural: "Pages",
  description: "A page of the association itself: who it is, how to reach it, what it stores.",
  listPath: null,
  fields: {
    navigation: {
      kind: "integer",
      label: "Navigation position",
      description: "Pages with a position appear in the site's navigation, lowest first.",
      sort: true,
    },
  },
  relations: {
    topics: {
      label: "Topics",
      target: "topic",
      many: true,
      inverse: { name: "pages", label: "Pages" },
    },
    authors: {
      label: "Authors",
      target: "author",
      many: true,
      inverse: { name: "pages", label: "Pages" },
    },
  },
  schemaOrg: "WebPage",
});
