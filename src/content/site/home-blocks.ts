import { z } from "zod";
import { createIssueMessage } from "../items/issue-messages.ts";

const BLOCKS_MAX = 20;
const ITEMS_MAX = 24;
const MARKDOWN_CHARACTERS_MAX = 5000;

const typeNameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, {
  error: createIssueMessage({
    en: "is not the name of a type, such as quotation",
    de: "ist kein Inhaltstyp",
  }),
});

const itemCountSchema = z.int().min(1).max(ITEMS_MAX).default(5);

const pathSchema = z
  .string()
  .startsWith("/", {
    error: createIssueMessage({
      en: "is not a path of this site, such as /about",
      de: "ist keine Adresse dieser Website wie /ueber-uns",
    }),
  })
  .max(300);

const homeBlockSchema = z.discriminatedUnion(
  "show",
  [
    z.strictObject({ show: z.literal("introduction") }),
    z.strictObject({ show: z.literal("quotation_of_the_day") }),
    z.strictObject({ show: z.literal("search") }),
    z.strictObject({ show: z.literal("sections") }),
    z.strictObject({ show: z.literal("samples") }),
    z.strictObject({ show: z.literal("purpose") }),
    z.strictObject({
      show: z.literal("text"),
      markdown: z.string().min(1).max(MARKDOWN_CHARACTERS_MAX),
    }),
    z.strictObject({
      show: z.literal("items"),
      title: z.string().min(1).max(100),
      paths: z.array(pathSchema).min(1).max(ITEMS_MAX),
    }),
    z.strictObject({
      show: z.enum(["newest", "best"]),
      type: typeNameSchema,
      items: itemCountSchema,
    }),
    z.strictObject({ show: z.literal("upcoming"), type: typeNameSchema, items: itemCountSchema }),
  ],
  {
    error: createIssueMessage({
      en: "name what to show: introduction, quotation_of_the_day, search, sections, samples, purpose, text, items, newest, best or upcoming",
      de: "Wählen Sie, was gezeigt wird",
    }),
  },
);

export type HomeBlock = z.output<typeof homeBlockSchema>;

/** The blocks of the home page, from top to bottom; empty: {@link DEFAULT_HOME_BLOCKS}. */
export const homeBlocksSchema = z.array(homeBlockSchema).max(BLOCKS_MAX);

export const DEFAULT_HOME_BLOCKS: readonly HomeBlock[] = [
  { show: "quotation_of_the_day" },
  { show: "introduction" },
  { show: "search" },
  { show: "samples" },
  { show: "purpose" },
];
