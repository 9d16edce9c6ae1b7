import { readStartTags } from "../../../content/import/streams/open-tags.ts";
import { AppError } from "../../../errors.ts";
import { fetchFirstPage } from "../first-page.ts";
import { decodePageText } from "../page-text.ts";
import { type PoliteRequester, requestPolitely } from "../request-politely.ts";
import { type SiteRules, withSitePauses } from "../site-rules.ts";
import {
  categoryXml,
  mediaFileXml,
  postXml,
  type TermsAndAuthors,
  tagXml,
  userXml,
  WXR_END_XML,
  wxrStartXml,
} from "./export-writing.ts";
import { buildRestUrl, findRestRootUrl } from "./rest-address.ts";
import {
  mediaFileSchema,
  postSchema,
  type RestTerm,
  restSiteSchema,
  restTypesSchema,
  termSchema,
  userSchema,
} from "./rest-entries.ts";
import { type RestError, type RestSource, readRestJson, readRestList } from "./rest-lists.ts";

export interface WordPressCopyDependencies extends PoliteRequester {
  /** Appends to the export. */
  write(text: string): Promise<void>;
  onProgress?(counts: WordPressCounts): void;
}

/** Counts of the contents of a WordPress export. */
export interface WordPressCounts {
  /** Number of entries of each type, such as posts and pages, keyed by type. */
  posts: ReadonlyMap<string, number>;
  /** Number of files that the export describes but does not contain. An import fetches these files. */
  files: number;
  terms: number;
  authors: number;
}

export interface WordPressCopyReport extends WordPressCounts {
  failed: readonly RestError[];
}

/** Matches post types that WordPress uses internally and that are not content. */
const INTERNAL_TYPE = /^(?:wp_|nav_menu_item$|attachment$)/;

/**
 * Copies a WordPress site through its REST interface, one request at a time, and writes an export. The
 * export contains public posts, public pages and descriptions of files, but no comments or menus. Obeys
 * robots.txt.
 *
 * @throws {AppError} `invalid` if the site cannot be read or has no public REST interface.
 */
export async function copyWordPress(
  start: string,
  { write, onProgress, ...given }: WordPressCopyDependencies,
): Promise<WordPressCopyReport> {
  const home = await readHome(start, given);
  const { rules } = home;
  const root = findRestRootUrl(home.html, home.url);
  if (root === null) throw noInterface(home.url);
  const posts = buildRestUrl(root, "wp/v2/posts", {});
  if (!rules.allows(posts)) throw forbidden(posts);
  const failed: RestError[] = [];
  const lists: RestSource = {
    root,
    requests: withSitePauses(given, rules),
    onFault: (fault) => failed.push(fault),
  };
  const site = await readRestJson("", restSiteSchema, lists);
  await write(
    wxrStartXml({
      title: site?.name ?? "",
      home: site?.home ?? home.url,
      language: home.language,
    }),
  );
  const counts = { posts: new Map<string, number>(), files: 0, terms: 0, authors: 0 };
  const names = await writeNames(lists, write);
  counts.authors = names.logins.size;
  counts.terms = names.categories.size + names.tags.size;
  for (const { type, route } of await postTypes(lists)) {
    for await (const post of readRestList(route, postSchema, lists)) {
      await write(postXml(post, type, names));
      counts.posts.set(type, (counts.posts.get(type) ?? 0) + 1);
      onProgress?.(counts);
    }
  }
  for await (const medium of readRestList("wp/v2/media", mediaFileSchema, lists)) {
    await write(mediaFileXml(medium, names));
    counts.files += 1;
    onProgress?.(counts);
  }
  await write(WXR_END_XML);
  return { ...counts, failed };
}

interface HomePage {
  url: string;
  html: string;
  language: string;
  rules: SiteRules;
}

async function readHome(start: string, requests: PoliteRequester): Promise<HomePage> {
  const { url, answer, rules } = await fetchFirstPage(start, requests, (each, allowed) =>
    requestPolitely(each, {}, allowed),
  );
  const html = answer?.kind === "content" ? decodePageText(answer.bytes, answer.contentType) : "";
  return { url, html, language: languageOf(html), rules };
}

function languageOf(html: string): string {
  let language = "";
  readStartTags(html, (name, { lang = "" }) => {
    if (name === "html") language = lang;
  });
  return language;
}

/**
 * Writes authors, categories and tags. If the site hides its authors, as sites often do, the report
 * says so.
 */
async function writeNames(
  lists: RestSource,
  write: WordPressCopyDependencies["write"],
): Promise<TermsAndAuthors> {
  const logins = new Map<number, string>();
  for await (const user of readRestList("wp/v2/users", userSchema, lists)) {
    logins.set(user.id, user.slug);
    await write(userXml(user));
  }
  const categories = await readTerms("wp/v2/categories", lists);
  for (const category of categories.values()) await write(categoryXml(category, categories));
  const tags = await readTerms("wp/v2/tags", lists);
  for (const tag of tags.values()) await write(tagXml(tag));
  return { logins, categories, tags };
}

async function readTerms(route: string, lists: RestSource): Promise<Map<number, RestTerm>> {
  const terms = new Map<number, RestTerm>();
  for await (const term of readRestList(route, termSchema, lists)) terms.set(term.id, term);
  return terms;
}

/**
 * Returns the content types and the REST route of the entries of each type. The content types are posts,
 * pages and the types that plugins declare.
 */
async function postTypes(lists: RestSource): Promise<{ type: string; route: string }[]> {
  const declared = (await readRestJson("wp/v2/types", restTypesSchema, lists)) ?? {
    post: { slug: "post", rest_base: "posts", rest_namespace: "wp/v2" },
    page: { slug: "page", rest_base: "pages", rest_namespace: "wp/v2" },
  };
  return Object.values(declared)
    .filter(({ slug }) => !INTERNAL_TYPE.test(slug))
    .map(({ slug, rest_base: base, rest_namespace: space }) => ({
      type: slug,
      route: `${space}/${base}`,
    }));
}

function noInterface(url: string): AppError {
  return new AppError("invalid", {
    en: `${url} does not name the REST interface of WordPress; copy its pages instead, as of any other site`,
    de: `${url} nennt keine REST-Schnittstelle von WordPress: Kopieren Sie die Seiten wie die jeder anderen Website`,
  });
}

function forbidden(url: string): AppError {
  return new AppError("invalid", {
    en: `robots.txt forbids ${url}; ask for an export instead (in WordPress: Tools, Export)`,
    de: `Die robots.txt verbietet ${url}: Bitten Sie um einen Export (in WordPress: Werkzeuge, Daten exportieren)`,
  });
}
