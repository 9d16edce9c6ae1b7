import type { Wording } from "../../../errors.ts";
import { wrapInHtmlBlock } from "../wordpress/blocks.ts";
import { HTML_CHARACTERS_MAX } from "../wordpress/post-text.ts";
import { escapeHtml } from "../wordpress/shortcodes.ts";
import type { WxrRecord, WxrSiteField } from "../wordpress/wxr-records.ts";
import { convertWikiPageToHtml, type WikiPageHtml } from "./page-html.ts";
import { kindOfNamespaceWithoutText, NAMESPACES, type PageName } from "./page-names.ts";
import { readWikiDump, type WikiPage } from "./wiki-dump.ts";
import { surveyWiki, type WikiSurvey } from "./wiki-survey.ts";

/**
 * Converts a MediaWiki dump to the records of a WordPress export, so that both are imported in the same way.
 * Articles become pages, and redirects become former addresses of their targets.
 *
 * @param file the dump as two streams. `survey` is read first, because pages may use templates and redirects
 * that come later.
 * @throws {AppError} `invalid` for a damaged dump.
 */
export async function* convertWikiToWxrRecords(file: {
  survey: AsyncIterable<string>;
  pages: AsyncIterable<string>;
}): AsyncGenerator<WxrRecord | WxrSiteField> {
  const wiki = await surveyWiki(readWikiDump(file.survey));
  yield { kind: "fact", name: "generator", text: "MediaWiki" };
  yield { kind: "fact", name: "wp:base_blog_url", text: wiki.addresses.home };
  yield { kind: "fact", name: "language", text: wiki.language };
  const seen: SeenKeys = {
    ...{ ids: new Set(), files: new Set(), categories: new Set(), categoryPages: new Set() },
  };
  for await (const page of readWikiDump(file.pages)) {
    if (page.kind === "site") continue;
    const name = wiki.names.parse(page.title);
    const isRedirect = page.redirect !== "";
    if (isRedirect && !wiki.isDeadRedirect(wiki.names.full(name))) continue;
    const id = page.id === "" || seen.ids.has(page.id) ? `title/${page.title}` : page.id;
    seen.ids.add(id);
    yield* recordsOfPage({ ...page, id }, name, { wiki, seen });
  }
  for (const title of seen.categories) {
    if (!seen.categoryPages.has(title)) yield categoryRecord(title, wiki);
  }
}

/** The ids, files and categories of the pages read so far. */
interface SeenKeys {
  ids: Set<string>;
  files: Set<string>;
  /** Categories that pages belong to. */
  categories: Set<string>;
  /** Categories whose own page is in the dump. */
  categoryPages: Set<string>;
}

/**
 * The records of a page: the files that it shows, then the page itself. The page of a category
 * yields only the category's record.
 */
function* recordsOfPage(
  page: WikiPage,
  name: PageName,
  { wiki, seen }: { wiki: WikiSurvey; seen: SeenKeys },
): Generator<WxrRecord> {
  const content = contentOf(page, name, wiki);
  for (const category of content?.categories ?? []) seen.categories.add(category);
  if (name.namespace === NAMESPACES.category) {
    seen.categoryPages.add(name.title);
    yield categoryRecord(name.title, wiki, { page, content });
    return;
  }
  const record = pageRecord(page, name, { wiki, content });
  for (const file of [...(content?.files ?? []), ...ownFile(name)]) {
    if (!seen.files.has(file)) yield fileRecord(file, record, wiki);
    seen.files.add(file);
  }
  yield record;
}

const EMPTY: Omit<WxrRecord, "kind" | "fields"> = {
  ...{ line: 1, meta: [], terms: [], comments: 0, isCut: false },
};

/**
 * The post type of a page: `page` for articles, and `wiki …` for pages that readers do not see. For any
 * other page, it is the name of the page's namespace in the wiki's language.
 */
function postTypeOf(
  { model, isHidden, redirect }: WikiPage,
  { namespace }: PageName,
  wiki: WikiSurvey,
): string {
  if (isHidden) return "wiki hidden";
  if (redirect !== "") return "wiki redirect";
  const withoutText = kindOfNamespaceWithoutText(namespace);
  if (withoutText !== undefined) return withoutText;
  if (model !== "wikitext") return "wiki code";
  if (namespace === NAMESPACES.article) return "page";
  if (namespace === NAMESPACES.file) return "wiki file";
  if (namespace === NAMESPACES.project) return "project";
  return wiki.names.nameOf(namespace).toLowerCase().replaceAll(" ", "_");
}

/**
 * The text of a page as HTML; null for pages that readers do not see and for texts over the limit.
 */
function contentOf(page: WikiPage, name: PageName, wiki: WikiSurvey): WikiPageHtml | null {
  const isShown = !postTypeOf(page, name, wiki).startsWith("wiki ") && !page.isCut;
  return isShown ? convertWikiPageToHtml(page.text, wiki.names.full(name), wiki) : null;
}

function pageRecord(
  page: WikiPage,
  name: PageName,
  { wiki, content }: { wiki: WikiSurvey; content: WikiPageHtml | null },
): WxrRecord {
  const { addresses, names } = wiki;
  const title = names.full(name);
  const isMain = title === names.full(names.parse(addresses.mainPage));
  const html = content?.html ?? "";
  const isCut = page.isCut || content?.isTooLong === true || html.length > HTML_CHARACTERS_MAX;
  const created = wordPressTime(page.created);
  const fields = {
    title: escapeHtml(title),
    link: isMain ? `${addresses.home}/` : addresses.pageUrl(title),
    "wp:post_id": page.id,
    "wp:post_type": postTypeOf(page, name, wiki),
    "wp:post_name": name.title,
    "wp:post_date": created,
    "wp:post_date_gmt": created,
    "wp:post_modified_gmt": wordPressTime(page.changed),
    "wp:status": "publish",
    "content:encoded": isCut ? "" : wrapInHtmlBlock(html),
  };
  return {
    ...EMPTY,
    ...{ kind: "item", line: page.line, isCut, fields: new Map(Object.entries(fields)) },
    meta: [["footnotes", JSON.stringify(content?.footnotes ?? [])]],
    terms: (content?.categories ?? []).map((category) => {
      return { domain: "category", slug: categorySlug(category), name: escapeHtml(category) };
    }),
    formerPaths: formerPaths(title, page.id, wiki),
    notes: content?.notes ?? [],
  };
}

function wordPressTime(timestamp: string): string {
  return timestamp.replace("T", " ").replace("Z", "");
}

/** The former addresses of a page: its own and those of redirects to it. */
function formerPaths(title: string, id: string, { addresses, redirects }: WikiSurvey): string[] {
  const titles = [title, ...(redirects.get(title) ?? [])];
  return [...titles.flatMap((each) => addresses.pagePaths(each)), ...addresses.numberPaths(id)];
}

function categorySlug(title: string): string {
  return title.replaceAll(" ", "_");
}

/**
 * The record of a category.
 *
 * @param described the category's own page, if it has one.
 */
function categoryRecord(
  title: string,
  wiki: WikiSurvey,
  described?: { page: WikiPage; content: WikiPageHtml | null },
): WxrRecord {
  const full = wiki.names.full({ namespace: NAMESPACES.category, title });
  const fields = {
    "wp:term_id": described?.page.id ?? "",
    "wp:category_nicename": categorySlug(title),
    "wp:cat_name": escapeHtml(title),
    "wp:category_description": described?.content?.html ?? "",
    "wp:category_parent": (described?.content?.categories ?? []).map(categorySlug).join("\n"),
  };
  const titles = [full, ...(wiki.redirects.get(full) ?? [])];
  return {
    ...EMPTY,
    ...{ kind: "category", fields: new Map(Object.entries(fields)) },
    formerPaths: titles.flatMap((each) => wiki.addresses.pagePaths(each)),
    notes: described === undefined ? [] : categoryNotes(described),
  };
}

/** The notes for a category that has a page. The category keeps only the words of the page. */
function categoryNotes({
  page,
  content,
}: {
  page: WikiPage;
  content: WikiPageHtml | null;
}): Wording[] {
  const isShort = !page.isCut && content?.isTooLong !== true;
  const hasMore = (content?.footnotes.length ?? 0) > 0 || /<(?:img|a) /.test(content?.html ?? "");
  return [
    ...(content?.notes ?? []),
    ...(isShort ? [] : [TOO_LONG_CATEGORY]),
    ...(hasMore ? [WORDS_OF_CATEGORY] : []),
  ];
}

const TOO_LONG_CATEGORY: Wording = {
  en: "its text is too long and is left out",
  de: "sein Text ist zu lang und wird weggelassen",
};
const WORDS_OF_CATEGORY: Wording = {
  en: "of the page of the category only the words are kept; links, pictures and footnotes are left out",
  de: "von der Seite der Kategorie bleiben nur die Wörter; Links, Bilder und Fußnoten fallen weg",
};

function ownFile({ namespace, title }: PageName): string[] {
  return namespace === NAMESPACES.file ? [title] : [];
}

function fileRecord(name: string, { fields: shownIn }: WxrRecord, wiki: WikiSurvey): WxrRecord {
  const { addresses, names } = wiki;
  const page = names.full({ namespace: NAMESPACES.file, title: name });
  const fields = {
    title: escapeHtml(name),
    "wp:post_id": `file/${name}`,
    "wp:post_type": "attachment",
    "wp:status": "inherit",
    "wp:attachment_url": addresses.fileUrl(name),
    "wp:post_parent": shownIn.get("wp:post_id") ?? "",
  };
  return {
    ...EMPTY,
    ...{ kind: "item", fields: new Map(Object.entries(fields)) },
    formerPaths: [...addresses.filePaths(name), ...addresses.pagePaths(page)],
  };
}
