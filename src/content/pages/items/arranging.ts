import type { PublishedItem } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import { type ContentType, relationViews } from "../../types/content-type.ts";
import { calendarBlocks } from "../dated-blocks.ts";
import type { Block } from "../view.ts";
import { factBlocks } from "./item-facts.ts";

/** The blocks of an item's page that do not come from its own fields. */
interface OtherBlocks {
  lead: readonly Block[];
  text: readonly Block[];
  citations: readonly Block[];
  /** The lists of items that link to this one. */
  groups: readonly Block[];
}

/** The blocks of an item's page in the order of its type's layout. */
export function arrangedBlocks(
  item: PublishedItem,
  { type, edition }: { type: ContentType; edition: Edition },
  { lead, text, citations, groups }: OtherBlocks,
): Block[] {
  const calendar = calendarBlocks(item, { type, edition });
  const facts = () => factBlocks(item, type, { edition });
  switch (type.layout ?? "article") {
    case "article":
      return [...lead, ...text, ...facts(), ...calendar, ...citations, ...groups];
    case "profile":
      return [...lead, ...facts(), ...calendar, ...text, ...citations, ...groups];
    case "list":
      return [...lead, ...groups, ...text, ...facts(), ...calendar, ...citations];
    case "event": {
      const { whenAndWhere, others } = datedFacts(item, type, edition);
      return [...lead, ...whenAndWhere, ...calendar, ...text, ...others, ...citations, ...groups];
    }
  }
}

function datedFacts(
  item: PublishedItem,
  type: ContentType,
  edition: Edition,
): { whenAndWhere: Block[]; others: Block[] } {
  const dated = new Set(Object.values(type.dated ?? {}));
  const relations = relationViews(edition.types, type.name).map(({ name }) => name);
  const names = [...Object.keys(type.fields), ...relations];
  const undated = new Set(names.filter((name) => !dated.has(name)));
  const blocks = factBlocks(item, type, { edition, but: undated });
  return {
    whenAndWhere: blocks.filter(({ kind }) => kind === "facts"),
    others: factBlocks(item, type, { edition, but: dated }),
  };
}
