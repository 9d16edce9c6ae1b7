import { defineBuiltInType } from "./content-type.ts";

export const topic = defineBuiltInType({
  name: "topic",
  label: "Topic",
  plural: "Topics",
  description: "A subject under which quotations and works are gathered.",
  listPath: "/topics",
  fields: {
    aliases: { kind: "text_list", label: "Also called" },
  },
  relations: {
    broader: {
      label: "Broader topics",
      target: "topic",
      many: true,
      inverse: { name: "narrower", label: "Narrower topics" },
    },
    see_also: { label: "See also", target: "topic", many: true, symmetric: true },
  },
  schemaOrg: "DefinedTerm",
});
