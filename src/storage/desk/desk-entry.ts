import { hash } from "node:crypto";
import { z } from "zod";
import { findLinkedPaths } from "../../content/addresses/text-links.ts";
import type { DeskStatus } from "../../content/desk/desk-queries.ts";
import type { Draft } from "../../content/drafts/draft.ts";
import { draftNameInLists } from "../../content/items/first-words.ts";
import type { Item, Link } from "../../content/items/item.ts";
import { validateFields } from "../../content/items/validation.ts";
import type { ContentType, ContentTypes, FieldValue } from "../../content/types/content-type.ts";
import { AppError } from "../../errors.ts";
import { deskTypeName, HAS_DRAFT_FIELD, LINKED_PATHS_FIELD } from "./desk-types.ts";

/** An item with its draft, or the draft of a new item. */
export type DeskEntrySource = { item: Item; draft: Draft | null } | { item: null; draft: Draft };

export interface DeskEntryOptions {
  types: ContentTypes;
  language: string;
  /** Links to this origin in texts are internal links. */
  origin: string;
}

const LINK_CHARACTERS = 20;

/**
 * Returns the index entry of an item. The entry has the texts of both the item and its draft, so that a
 * search for either text finds the item. Returns null if the type is no longer declared.
 */
export function buildDeskEntry(
  { item, draft }: DeskEntrySource,
  { types, language, origin }: DeskEntryOptions,
): Item | null {
  const base = item ?? newItem(draft, language);
  const type = types.get(base.type);
  if (type === undefined) return null;
  const status: DeskStatus = item === null ? "new" : item.status;
  const draftTexts = draft === null ? NO_TEXTS : textsOfDraft(draft, type);
  const title = draftTexts.title ?? base.title;
  const savedTitle = title === base.title ? "" : base.title;
  const body = [base.body, base.summary, savedTitle, ...draftTexts.texts]
    .filter(Boolean)
    .join("\n\n");
  const fields = { ...base.fields, ...draftTexts.fields };
  return {
    ...base,
    type: deskTypeName(types, type.name, status),
    path: deskEntryPath(base),
    title,
    body,
    fields: {
      ...fields,
      [HAS_DRAFT_FIELD]: draft !== null,
      [LINKED_PATHS_FIELD]: findLinkedPaths([body, ...texts(fields)].join("\n"), origin).map(
        indexValueOfLink,
      ),
    },
    relations: { ...base.relations, ...draftTexts.relations },
    translationOf: null,
  };
}

/**
 * Returns an item's path in the index. The path begins with the id, because a deleted item may
 * share its path on the site with another item. It ends with the last segment of the path on the
 * site, because name searches match that segment too.
 */
export function deskEntryPath({ id, path }: Pick<Item, "id" | "path">): string {
  return `/${id}/${path.slice(path.lastIndexOf("/") + 1)}`;
}

export function itemIdInDeskEntryPath(path: string): string {
  return path.split("/")[1] ?? "";
}

/**
 * Returns the index value of a link to a path. The value is a hash, because the index treats list
 * values like names and also matches similar ones. The hash has the form of a URL, because the
 * full-text index omits URLs.
 */
export function indexValueOfLink(path: string): string {
  return `link://${hash("sha256", path).slice(0, LINK_CHARACTERS)}`;
}

function texts(fields: Item["fields"]): string[] {
  return Object.values(fields).filter((value) => typeof value === "string");
}

interface DraftTexts {
  title: string | null;
  texts: readonly string[];
  fields: Readonly<Record<string, FieldValue>>;
  relations: Item["relations"];
}

const NO_TEXTS: DraftTexts = { title: null, texts: [], fields: {}, relations: {} };
const linksSchema = z.array(z.object({ to: z.uuid(), note: z.string().nullable() }));

/** Returns the texts of a draft to index. Invalid field values are indexed as text. */
function textsOfDraft({ itemId, parts }: Draft, type: ContentType): DraftTexts {
  const title = itemId === null ? draftNameInLists(parts) : parts["title"];
  const texts = ["body", "summary", "path"].flatMap((part) => searchableTexts(parts[part]));
  const fields: Record<string, FieldValue> = {};
  const relations: Record<string, readonly Link[]> = {};
  for (const [part, value] of Object.entries(parts)) {
    const [group, ...rest] = part.split(".");
    const name = rest.join(".");
    if (group === "relations") relations[name] = linksSchema.safeParse(value).data ?? [];
    if (group !== "fields") continue;
    const checked = checkedField(type, name, value);
    if (checked === undefined) texts.push(...searchableTexts(value));
    else fields[name] = checked;
  }
  return {
    title: typeof title === "string" && title !== "" ? title : null,
    texts,
    fields,
    relations,
  };
}

function checkedField(type: ContentType, name: string, value: unknown): FieldValue | undefined {
  if (!Object.hasOwn(type.fields, name)) return undefined;
  try {
    return validateFields(type, { [name]: value }, name)[name];
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function searchableTexts(value: unknown): string[] {
  return [value].flat().filter((text) => typeof text === "string");
}

function newItem({ id, type, createdAt, updatedAt, parts }: Draft, siteLanguage: string): Item {
  const ownLanguage = parts["language"];
  return {
    id,
    type,
    path: "/",
    title: "",
    summary: "",
    body: "",
    fields: {},
    relations: {},
    language: typeof ownLanguage === "string" && ownLanguage !== "" ? ownLanguage : siteLanguage,
    translationOf: null,
    status: "draft",
    publishAt: null,
    publishedAt: null,
    expireAt: null,
    reviewAt: null,
    createdAt,
    updatedAt,
    revision: 0,
    sourceKey: null,
  };
}
