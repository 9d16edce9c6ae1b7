import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";
import { SUMMARY_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from "../../items/item.ts";
import { firstRelationToType } from "../../types/relation-to.ts";
import { type ParseOptions, parseItem } from "../item-parsing.ts";
import type { ParsedItem } from "../parsed-item.ts";
import { LAST_CHANGE_KEY } from "../parsing/last-change.ts";
import { prefixMessageWithName } from "../references/work-items.ts";
import { htmlToPlainText } from "./post-markdown.ts";
import { convertPostWithNotes, type PostTextContext } from "./post-text.ts";
import type { PlannedPost, WordPressImportPlan } from "./wordpress-plan.ts";
import { postIdOf, type WordPressSite } from "./wordpress-site.ts";
import type { WxrRecord, WxrSiteField } from "./wxr-records.ts";

export interface WordPressOptions extends Pick<ParseOptions, "types" | "now" | "timeZone"> {
  plan: WordPressImportPlan;
  /** Whether everything becomes a draft, including scheduled posts. */
  importsAsDrafts: boolean;
  /** The language of all texts. */
  language: string;
  texts: PostTextContext;
}

/** An author or topic: an item without a body. */
interface UnwrittenItem {
  notes?: readonly Wording[];
  values: Readonly<Record<string, unknown>>;
  isPublic: boolean;
}

/** Items for the authors and topics of posts. */
export function buildAuthorAndTopicItems(file: string, options: WordPressOptions): ParsedItem[] {
  const { site, topics, authors } = options.plan;
  const people = [...authors.values()].map(({ author, path }): UnwrittenItem => {
    const { login, name, sortName } = author;
    const values = { type: "author", path, title: name, ...(sortName && { sort_name: sortName }) };
    return {
      values: { ...values, sourceKey: sourceKey(site, `author/${login}`) },
      isPublic: true,
    };
  });
  const subjects = [...topics].map(([key, { term, path, isPublic }]): UnwrittenItem => {
    const broader = term.parents.flatMap((parent) => topics.get(parent)?.path ?? []);
    const values = {
      ...{
        type: "topic",
        path,
        title: term.name,
        summary: cutAtWord(htmlToPlainText(term.description), SUMMARY_CHARACTERS_MAX),
      },
      ...(broader.length === 0 ? {} : { broader: broader.filter((each) => each !== path) }),
    };
    const { notes } = term;
    return { values: { ...values, sourceKey: sourceKey(site, `term/${key}`) }, isPublic, notes };
  });
  return [...people, ...subjects].map(({ values, isPublic, notes = [] }) => {
    const raw = { ...values, status: isPublic ? "published" : "draft" };
    const read = parseItem(raw, { ...options, unknown: "count" });
    const placeOf = (field: string) => ({ line: 1, field });
    const warnings = notes.map((message) => {
      return { ...placeOf(""), message, severity: "warning" as const };
    });
    const problems = [
      ...read.problems.map(({ where, ...rest }) => ({ ...rest, ...placeOf(where) })),
      ...warnings.map((warning) => {
        return {
          ...warning,
          message: prefixMessageWithName(String(values["path"]), warning.message),
        };
      }),
    ];
    return {
      ...{ file, input: read.input, problems, hasStatus: true, isNotPublic: !isPublic },
      ...{ skipped: null, leftOut: [], placeOf },
    };
  });
}

function sourceKey({ system, host }: WordPressSite, key: string): string {
  const site = system === "ghost" ? "" : `${host}/`;
  return `${system}:${site}${key}`.slice(0, 300);
}

/** Yields the posts and pages of an export. */
export async function* readPostItems(
  records: AsyncIterable<WxrRecord | WxrSiteField>,
  file: string,
  options: WordPressOptions,
): AsyncGenerator<ParsedItem> {
  for await (const record of records) {
    if (record.kind !== "item") continue;
    const planned = options.plan.posts.get(postIdOf(record));
    if (planned !== undefined) yield await itemOfPost(record, planned, { ...options, file });
  }
}

async function itemOfPost(
  record: WxrRecord,
  planned: PlannedPost,
  options: WordPressOptions & { file: string },
): Promise<ParsedItem> {
  const { file } = options;
  const placeOf = recordLine(record.line);
  const common = { file, skipped: null, leftOut: [], placeOf, hasStatus: true };
  const text = await convertPostWithNotes(record, planned, options);
  if ("refusal" in text) {
    const problem = { ...placeOf("body"), message: text.refusal, severity: "error" as const };
    return { ...common, input: null, problems: [problem], isNotPublic: true };
  }
  const values = valuesOf(record, planned, options);
  const read = parseItem({ ...values, body: text.markdown }, { ...options, unknown: "count" });
  const { visibility } = planned.outcome;
  const notes = [...text.notes];
  if ("reason" in visibility) notes.unshift(keptAsDraft(visibility.reason));
  const problems = [
    ...read.problems.map(({ where, ...problem }) => ({ ...problem, ...placeOf(where) })),
    ...notes.map((message) => ({ ...placeOf(""), message, severity: "warning" as const })),
  ].map((problem) => ({
    ...problem,
    message: prefixMessageWithName(planned.path, problem.message),
  }));
  const isNotPublic = visibility.status !== "published";
  const { input, updatedAt } = read;
  return { ...common, input, problems, isNotPublic, ...(updatedAt && { updatedAt }) };
}

function keptAsDraft({ en, de }: Wording): Wording {
  return { en: `it is kept as a draft: ${en}`, de: `er bleibt ein Entwurf: ${de}` };
}

/**
 * Returns the function `placeOf` of an item. The function keeps only the line, because a reference to the
 * record would keep the record's text in memory.
 */
function recordLine(line: number): ParsedItem["placeOf"] {
  return (field) => ({ line, field });
}

function valuesOf(
  { fields, meta }: WxrRecord,
  { post, outcome, type, path }: PlannedPost,
  { plan, importsAsDrafts, language }: WordPressOptions,
): Record<string, unknown> {
  const { visibility } = outcome;
  const isScheduled = visibility.status === "scheduled" && !importsAsDrafts;
  const isPublished = visibility.status === "published";
  const summary = postSummary(fields.get("excerpt:encoded") ?? "", meta);
  const day = /^(?!0000)\d{4}-\d\d-\d\d/.exec(fields.get("wp:post_date")?.trim() ?? "")?.[0];
  const dateField = type.dated?.by;
  const topicRelation = firstRelationToType(type, "topic");
  const authorRelation = firstRelationToType(type, "author");
  const topics = post.terms.flatMap((key) => plan.topics.get(key)?.path ?? []);
  const authors = post.authors.flatMap((login) => plan.authors.get(login)?.path ?? []);
  return {
    ...{ type: type.name, path, title: titleOf(post.title, post.slug), language, summary },
    sourceKey: sourceKey(plan.site, post.id),
    status: isScheduled ? "scheduled" : isPublished ? "published" : "draft",
    ...(isScheduled ? { publishAt: visibility.publishAt } : {}),
    ...(isPublished && post.publishedAt !== "" ? { publishedAt: post.publishedAt } : {}),
    // Changes before publication, such as those to a scheduled post, are ignored.
    ...(post.modifiedAt > post.publishedAt ? { [LAST_CHANGE_KEY]: post.modifiedAt } : {}),
    ...(dateField === undefined || day === undefined ? {} : { [dateField]: day }),
    ...(topicRelation === null ? {} : { [topicRelation]: [...new Set(topics)] }),
    ...(authorRelation === null || authors.length === 0 ? {} : { [authorRelation]: authors }),
  };
}

function titleOf(title: string, slug: string): string {
  const words = slug.replace(/[-_]+/g, " ").trim();
  const chosen = title || words.charAt(0).toUpperCase() + words.slice(1) || "Untitled";
  return cutAtWord(chosen, TITLE_CHARACTERS_MAX);
}

/** Custom fields in which SEO plugins store descriptions. */
const SUMMARY_KEYS: readonly string[] = [
  ..."_yoast_wpseo_metadesc rank_math_description _aioseo_description".split(" "),
];

function postSummary(excerpt: string, meta: WxrRecord["meta"]): string {
  const raw = meta.find(([key]) => SUMMARY_KEYS.includes(key))?.[1] ?? "";
  // A description with placeholders such as `%%title%%` is unusable, because plugins replace them
  // only when a page is shown.
  const usable = /%%?\w+%/.test(raw) ? "" : raw;
  return cutAtWord(htmlToPlainText(excerpt) || htmlToPlainText(usable), SUMMARY_CHARACTERS_MAX);
}
