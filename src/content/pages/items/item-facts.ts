import type { LinkedItem, PublishedItem } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";
import { type RelationView, relationViews } from "../../types/relation-views.ts";
import { formatFieldValues, isFieldShownToVisitors } from "../field-values.ts";
import { itemAnchor } from "../lines.ts";
import { sealsOfFieldValue } from "../quotations/seals.ts";
import type { Block, Fact, InlineContent } from "../view.ts";

/**
 * The facts about an item: its links and fields, followed by its Markdown fields. Links and fields whose
 * names are in `excluded` are left out.
 */
export function buildFactBlocks(
  item: PublishedItem,
  type: ContentType,
  { edition, excluded = NO_NAMES }: { edition: Edition; excluded?: ReadonlySet<string> },
): Block[] {
  const facts = [
    ...linkFacts(item, edition.types, excluded),
    ...fieldFacts(item, type, { edition, excluded }),
  ];
  const texts = Object.entries(type.fields).flatMap(([name, field]): Block[] => {
    const value = item.fields[name];
    if (field.kind !== "markdown" || typeof value !== "string" || value === "") return [];
    return [
      { kind: "heading", text: field.label, id: `field-${name}` },
      {
        kind: "source",
        name: name.replaceAll("_", ""),
        markdown: value,
        language: item.language,
      },
    ];
  });
  return [...(facts.length === 0 ? [] : [{ kind: "facts", facts } satisfies Block]), ...texts];
}

const NO_NAMES: ReadonlySet<string> = new Set();

function fieldFacts(
  item: PublishedItem,
  type: ContentType,
  { edition: { texts }, excluded }: { edition: Edition; excluded: ReadonlySet<string> },
): Fact[] {
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const value = item.fields[name];
    if (value === undefined || field.kind === "markdown" || excluded.has(name)) return [];
    if (!isFieldShownToVisitors(name, type)) return [];
    const seals = (field.cautions ?? []).length > 0 ? sealsOfFieldValue(value, field) : [];
    const values =
      seals.length > 0
        ? seals.map((seal) => [{ seal }])
        : formatFieldValues(name, value, { field, texts });
    return values.length === 0 ? [] : [{ label: field.label, values }];
  });
}

/** The links shown as facts: the item's own links, and links from other items of the same type. */
function linkFacts(
  item: PublishedItem,
  types: ContentTypes,
  excluded: ReadonlySet<string>,
): Fact[] {
  const views = relationViews(types, item.type).filter(
    (view) => isShownAsFact(item.type, view) && !excluded.has(view.name),
  );
  return views.flatMap((view) => {
    const links = includesIncoming(types, item.type, view)
      ? withNotes(item.neighbours[view.name] ?? [], item.links[view.relation] ?? [])
      : (item.links[view.relation] ?? []);
    return links.length === 0 ? [] : [{ label: view.label, values: links.map(linkWithNote) }];
  });
}

/**
 * Whether an item's page shows the links of a relation view as facts. True for the item's own
 * links, and for links from other items of its type.
 */
export function isShownAsFact(type: string, view: RelationView): boolean {
  return view.direction === "out" || view.otherType === type;
}

/** The relation views that are shown as facts and include links declared on other items. */
export function incomingFactViews(types: ContentTypes, type: string): RelationView[] {
  return relationViews(types, type).filter(
    (view) => isShownAsFact(type, view) && includesIncoming(types, type, view),
  );
}

/**
 * Whether a relation view includes links that other items declare. True for views in direction `in` and for
 * symmetric relations.
 */
function includesIncoming(types: ContentTypes, type: string, view: RelationView): boolean {
  const relation = types.get(type)?.relations[view.relation];
  return view.direction === "in" || relation?.symmetric === true;
}

function withNotes(
  neighbours: readonly LinkedItem[],
  ownLinks: readonly LinkedItem[],
): readonly LinkedItem[] {
  const notes = new Map(ownLinks.map(({ path, note }) => [path, note]));
  return neighbours.map((item) => ({ ...item, note: notes.get(item.path) ?? null }));
}

/** A link, with its note if it has one. */
export function linkWithNote(link: LinkedItem): InlineContent[] {
  return [itemAnchor(link), ...(link.note === null ? [] : [` – ${link.note}`])];
}
