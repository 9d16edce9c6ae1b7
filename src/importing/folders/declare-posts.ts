import { type Actor, hasScope } from "../../access/actor.ts";
import type { ContentDesk } from "../../content/editing/desk.ts";
import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import { listOutlinesOfTypes } from "../../content/import/item-names.ts";
import { createPostListFinder } from "../../content/import/posts/post-list.ts";
import {
  contentTypeForPosts,
  declarePostProperties,
  findUndeclaredPostProperties,
  NEWS_TYPE,
  type OptionalPostProperty,
  parsePostTypeChoices,
} from "../../content/import/posts/post-type.ts";
import type { ContentRecord } from "../../content/record.ts";
import { saveSite, withoutBuiltInTypes } from "../../content/site/site-saving.ts";
import type { ContentType, ContentTypes } from "../../content/types/content-type.ts";
import type { Wording } from "../../errors.ts";
import { findFreeListPath, mapFormerListAddresses } from "./list-paths.ts";
import type { SurveyedSource } from "./survey-items.ts";

/** The content type that posts in folders are imported as. */
export interface PlannedPostType {
  type: ContentType;
  /** Whether the site does not have the type yet. */
  isNew: boolean;
  /** Whether the importing account may change the types of the site. */
  mayDeclare: boolean;
}

/**
 * Plans the type that posts are imported as. Null: posts become pages, because `as` says so, or
 * because the site has no type for posts and the account may not add one.
 *
 * @param as pairs of types, such as `post=page`.
 * @throws {AppError} `invalid` for a pair that names no type.
 */
export async function planPostType(
  record: ContentRecord,
  actor: Actor,
  as: readonly string[],
): Promise<PlannedPostType | null> {
  const types = await record.types();
  const chosen = parsePostTypeChoices(as, types).get("post");
  if (chosen === "page") return null;
  const mayDeclare = hasScope(actor, "settings:write") && (await record.site()) !== null;
  const declared = chosen === undefined ? contentTypeForPosts(types) : (types.get(chosen) ?? null);
  if (declared !== null) return { type: declared, isNew: false, mayDeclare };
  return mayDeclare ? { type: NEWS_TYPE, isNew: true, mayDeclare } : null;
}

/**
 * The site's types and the planned type. A new type has no list at first: the path of the list must be
 * free, so the path is chosen once all pages are known.
 */
export function typesWithPlannedPostType(
  types: ContentTypes,
  planned: PlannedPostType | null,
): ContentTypes {
  if (planned === null || !planned.isNew) return types;
  return new Map([...types, [planned.type.name, { ...planned.type, listPath: null }]]);
}

/** Adds the planned type of posts to the conventions of a folder. */
export function conventionsWithPlannedPostType(
  conventions: FolderConventions | null,
  planned: PlannedPostType | null,
): FolderConventions | null {
  if (conventions === null || planned === null) return conventions;
  const posts = { type: planned.type.name, otherTypes: new Map<string, string>(), listIn: null };
  return { ...conventions, posts };
}

interface DeclareOptions {
  planned: PlannedPostType | null;
  /** The editors' view of the items; null: the site has no items yet. */
  desk: Pick<ContentDesk, "list"> | null;
  isDocument: (path: string) => boolean;
  now: Date;
  onNote: (message: Wording) => void;
}

/**
 * Prepares the type that the surveyed posts get. Declares the type if it is new; otherwise adds the fields
 * and relations that the posts need.
 *
 * @returns the surveyed folders, with the address of the list that shows their posts.
 */
export async function preparePostType(
  record: ContentRecord,
  actor: Actor,
  surveyed: readonly SurveyedSource[],
  { planned, desk, isDocument, now, onNote }: DeclareOptions,
): Promise<readonly SurveyedSource[]> {
  const found = surveyed.map(({ survey }) => survey.posts);
  const count = found.reduce((sum, { files }) => sum + files.size, 0);
  const profile = await record.site();
  if (planned === null || profile === null || count === 0) return surveyed;
  const before = await record.types();
  const type = await completeType(surveyed, planned, { types: before, desk });
  if (planned.isNew || type !== planned.type) {
    const others = withoutBuiltInTypes(before);
    const declared = planned.isNew
      ? [...others, type]
      : others.map((each) => (each.name === type.name ? type : each));
    await saveSite(record, actor, profile, declared, now);
    onNote(planned.isNew ? typeAdded(type) : typeExtended(type, planned.type));
  }
  const types = await record.types();
  const listIn = createPostListFinder(type, profile);
  const keptCount = surveyed.reduce(
    (sum, { conventions }) => sum + (conventions?.posts?.otherTypes.size ?? 0),
    0,
  );
  if (count > keptCount) onNote(summary(count - keptCount, listIn(null)));
  if (keptCount > 0) onNote(keptTypes(keptCount));
  return surveyed.map((each) => {
    const { conventions } = each;
    if (conventions === null || conventions.posts === null || each.survey.posts.files.size === 0)
      return each;
    const lists = mapFormerListAddresses(each, listIn, { types, isDocument });
    return {
      ...each,
      lists,
      conventions: { ...conventions, posts: { ...conventions.posts, listIn } },
    };
  });
}

async function completeType(
  surveyed: readonly SurveyedSource[],
  { type, isNew, mayDeclare }: PlannedPostType,
  { types, desk }: { types: ContentTypes; desk: DeclareOptions["desk"] },
): Promise<ContentType> {
  const parts = new Set<OptionalPostProperty>(
    surveyed.flatMap(({ survey }) => [...survey.posts.parts]),
  );
  const isOwn = isNew || withoutBuiltInTypes(types).some(({ name }) => name === type.name);
  if (!mayDeclare || !isOwn) return type;
  const extended = declarePostProperties(type, findUndeclaredPostProperties(type, parts), types);
  if (!isNew) return extended;
  const pages = desk === null ? noPages() : listOutlinesOfTypes(desk, ["page"]);
  return { ...extended, listPath: await findFreeListPath(surveyed, pages, types) };
}

async function* noPages(): AsyncGenerator<{ path: string }> {
  // Yields nothing, because a new site has no pages.
}

function typeAdded({ name }: ContentType): Wording {
  return {
    en: `The type "${name}" was added to the site for the posts; for pages instead, choose what posts become as post=page`,
    de: `Für die Beiträge wurde der Website die Art „${name}“ hinzugefügt; sollen sie Seiten werden, wählen Sie als das, was aus Beiträgen wird, post=page`,
  };
}

function typeExtended(type: ContentType, before: ContentType): Wording {
  const names = (whole: ContentType) => Object.keys({ ...whole.fields, ...whole.relations });
  const known = new Set(names(before));
  const addedNames = names(type)
    .filter((name) => !known.has(name))
    .join(", ");
  return {
    en: `The type "${type.name}" was extended for the posts: ${addedNames}`,
    de: `Die Art „${type.name}“ bekam, was Beiträge angeben: ${addedNames}`,
  };
}

function summary(count: number, { path, title }: { path: string; title: string }): Wording {
  return {
    en: `Dated posts: ${count}, listed at ${path} (${title})`,
    de: `Beiträge mit Datum: ${count}, aufgelistet unter ${path} (${title})`,
  };
}

function keptTypes(count: number): Wording {
  return {
    en: `Posts that the site has as items of another type: ${count}; they keep it, as the type of an item never changes`,
    de: `Beiträge, die auf der Website Inhalte einer anderen Art sind: ${count}; sie bleiben es, denn die Art eines Inhalts ändert sich nie`,
  };
}
