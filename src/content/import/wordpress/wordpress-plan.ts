import type { Wording } from "../../../errors.ts";
import { slugOf } from "../../addresses/paths.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";
import { firstRelationToType } from "../../types/relation-to.ts";
import { listCandidatePaths, UniquePathAssigner } from "./post-addresses.ts";
import {
  decidePostImportOutcome,
  type PostImportOutcome,
  type PostTypeMapping,
} from "./post-outcomes.ts";
import type {
  WordPressAuthor,
  WordPressPost,
  WordPressSite,
  WordPressTerm,
} from "./wordpress-site.ts";

/** A post of the export, and the item that it will become. */
export interface PlannedPost {
  post: WordPressPost;
  outcome: Extract<PostImportOutcome, { kind: "item" }>;
  type: ContentType;
  path: string;
}

export interface PlannedTopic {
  term: WordPressTerm;
  path: string;
  isPublic: boolean;
}

export interface PlannedAuthor {
  author: WordPressAuthor;
  path: string;
}

/** The plan for importing an export, made before any text is converted. */
export interface WordPressImportPlan {
  site: WordPressSite;
  /** Planned items, keyed by the id of their post. */
  posts: ReadonlyMap<string, PlannedPost>;
  /** Planned topics, keyed by {@link termKey}. */
  topics: ReadonlyMap<string, PlannedTopic>;
  /** Planned authors, keyed by login. */
  authors: ReadonlyMap<string, PlannedAuthor>;
  /** Attachments, keyed by id. */
  files: ReadonlyMap<string, WordPressPost>;
  /** Ids of reusable blocks. */
  blocks: readonly string[];
  /** Kinds of records that are not imported, with counts. */
  leftOut: readonly OmittedRecords[];
  /** Path of the list of posts; null: posts have no list. */
  postsPath: string | null;
}

export interface OmittedRecords {
  what: Wording;
  count: number;
  reason: Wording;
  /** Whether the records are content that readers of the former site would miss. */
  isContent: boolean;
}

const COMMENTS_LABEL: Wording = { en: "comments", de: "Kommentare" };
const NO_COMMENTS: Wording = { en: "there are none here", de: "die gibt es hier nicht" };
const TERMS_LABEL: Wording = { en: "categories and tags", de: "Kategorien und Schlagwörter" };
const UNUSED_TERMS: Wording = {
  en: "no text imported as a type with topics has them",
  de: "kein übernommener Text, dessen Art Themen hat, trägt sie",
};
const AUTHORS_LABEL: Wording = { en: "authors", de: "Autorinnen und Autoren" };
const UNUSED_AUTHORS: Wording = {
  en: "no public text imported as a type with authors is theirs",
  de: "kein öffentlicher übernommener Text, dessen Art Autoren hat, ist von ihnen",
};

/** Slug of the default category, which WordPress assigns to posts without a category. */
const NO_CATEGORY = "uncategorized";

export function planWordPressImport(
  site: WordPressSite,
  { types, mapping, now }: { types: ContentTypes; mapping: PostTypeMapping; now: Date },
): WordPressImportPlan {
  const posts = new Map<string, PlannedPost>();
  const files = new Map<string, WordPressPost>();
  const blocks: string[] = [];
  const leftOut = new LeftOutCounts();
  const paths = new UniquePathAssigner(types);
  for (const post of site.posts.values()) {
    const outcome = decidePostImportOutcome(post, mapping, now);
    if (outcome.kind === "file") files.set(post.id, post);
    if (outcome.kind === "block") blocks.push(post.id);
    if (outcome.kind === "left_out") leftOut.add(outcome.what, outcome);
    const type = outcome.kind === "item" ? types.get(outcome.type) : undefined;
    if (outcome.kind !== "item" || type === undefined) continue;
    const path = paths.assign(post.id, type, listCandidatePaths(post, type, site));
    posts.set(post.id, { post, outcome, type, path });
  }
  const listed = mapping.get("post");
  const plan = { site, posts, files, blocks, postsPath: types.get(listed ?? "")?.listPath ?? null };
  const topics = plannedTopics(plan, types, leftOut);
  const authors = plannedAuthors(plan, types, leftOut);
  if (site.comments > 0) {
    leftOut.add(COMMENTS_LABEL, { reason: NO_COMMENTS, isContent: false }, site.comments);
  }
  return { ...plan, topics, authors, leftOut: leftOut.all() };
}

type PostsPlan = Pick<WordPressImportPlan, "site" | "posts">;

/**
 * Topics from the categories and tags of posts whose type has topics. Terms that only drafts use
 * become drafts.
 */
function plannedTopics(
  { site, posts }: PostsPlan,
  types: ContentTypes,
  leftOut: LeftOutCounts,
): Map<string, PlannedTopic> {
  const used = new Map<string, boolean>();
  for (const { post, outcome, type } of posts.values()) {
    if (firstRelationToType(type, "topic") === null) continue;
    const isPublic = outcome.visibility.status === "published";
    for (const key of post.terms) markUsed(used, key, { isPublic, site });
  }
  const topic = types.get("topic");
  const paths = new UniquePathAssigner(types);
  const topics = new Map<string, PlannedTopic>();
  for (const [key, term] of site.terms) {
    const isPublic = used.get(key);
    if (term.slug === NO_CATEGORY) continue;
    if (isPublic === undefined || topic === undefined) {
      leftOut.add(TERMS_LABEL, { reason: UNUSED_TERMS, isContent: false });
      continue;
    }
    const slug = slugOf(term.slug) || slugOf(term.name) || `topic-${term.id}`;
    const path = paths.assign(key, topic, [`${topic.listPath ?? ""}/${slug}`]);
    topics.set(key, { term, path, isPublic });
  }
  return topics;
}

/** Maximum number of terms to mark at once: a term and the categories above it. */
const ABOVE_MAX = 20;

/** Marks a term and the categories above it as used. */
function markUsed(
  used: Map<string, boolean>,
  key: string,
  { isPublic, site }: { isPublic: boolean; site: WordPressSite },
): void {
  const marked = new Set([key]);
  for (const each of marked) {
    used.set(each, isPublic || used.get(each) === true);
    for (const parent of site.terms.get(each)?.parents ?? []) {
      if (marked.size < ABOVE_MAX) marked.add(parent);
    }
  }
}

/** Authors of public posts whose type has authors. */
function plannedAuthors(
  { site, posts }: PostsPlan,
  types: ContentTypes,
  leftOut: LeftOutCounts,
): Map<string, PlannedAuthor> {
  const publicAuthors = new Set(
    [...posts.values()]
      .filter(({ outcome, type }) => {
        return (
          outcome.visibility.status === "published" && firstRelationToType(type, "author") !== null
        );
      })
      .flatMap(({ post }) => post.authors),
  );
  const author = types.get("author");
  const paths = new UniquePathAssigner(types);
  const planned = new Map<string, PlannedAuthor>();
  for (const [login, known] of site.authors) {
    if (!publicAuthors.has(login) || author === undefined) {
      leftOut.add(AUTHORS_LABEL, { reason: UNUSED_AUTHORS, isContent: false });
      continue;
    }
    const slug = slugOf(known.name) || slugOf(login) || `author-${known.id}`;
    const path = paths.assign(login, author, [`${author.listPath ?? ""}/${slug}`]);
    planned.set(login, { author: known, path });
  }
  return planned;
}

class LeftOutCounts {
  readonly #counts = new Map<string, OmittedRecords>();

  add(what: Wording, why: Pick<OmittedRecords, "reason" | "isContent">, count = 1): void {
    const key = `${what.en}\n${why.reason.en}`;
    const before = this.#counts.get(key)?.count ?? 0;
    const { reason, isContent } = why;
    this.#counts.set(key, { what, reason, isContent, count: before + count });
  }

  all(): OmittedRecords[] {
    return [...this.#counts.values()];
  }
}
