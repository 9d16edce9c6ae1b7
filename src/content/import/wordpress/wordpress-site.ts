import type { Wording } from "../../../errors.ts";
import { htmlToPlainText } from "./post-markdown.ts";
import type { WxrRecord, WxrSiteField } from "./wxr-records.ts";

/** A post, page, file or other item of an export, without its text. */
export interface WordPressPost {
  id: string;
  /** `post`, `page`, `attachment`, or a type that a plugin registers. */
  type: string;
  /** `publish`, `draft`, `private` and others. */
  status: string;
  isProtected: boolean;
  title: string;
  slug: string;
  /** The post's address on the former site. */
  link: string;
  parent: string;
  /** When the post was published; ISO 8601. Empty: unknown. */
  publishedAt: string;
  /** When the post was last changed; ISO 8601. Empty: unknown. */
  modifiedAt: string;
  /** Logins of the post's authors. */
  authors: readonly string[];
  terms: readonly string[];
  oldSlugs: readonly string[];
  /**
   * Further addresses on the former site: percent-encoded paths, including the query if there is
   * one.
   */
  formerPaths: readonly string[];
  comments: number;
  /** The file of an attachment; null for other posts. */
  file: { url: string; alt: string; sizes: readonly string[] } | null;
}

export interface WordPressTerm {
  /** `category`, `post_tag` or another taxonomy. */
  taxonomy: string;
  id: string;
  slug: string;
  name: string;
  description: string;
  /** Keys of the parent categories ({@link termKey}). */
  parents: readonly string[];
  /** Further addresses on the former site, in the form of {@link WordPressPost.formerPaths}. */
  formerPaths: readonly string[];
  /** Notes on what was changed or left out in the term's description. */
  notes: readonly Wording[];
}

export interface WordPressAuthor {
  id: string;
  login: string;
  name: string;
  sortName: string;
}

/** The system that wrote an export. */
export type ExportingSystem = "wordpress" | "ghost" | "mediawiki";

/** Placeholder for the address of a Ghost site, which its exports do not contain. */
export const GHOST_ORIGIN = "https://ghost.invalid";

export interface WordPressSite {
  system: ExportingSystem;
  /** Hosts of the former site, without `www.`. */
  hosts: ReadonlySet<string>;
  /** The path of the site on its host, without a trailing slash. */
  base: string;
  /** The host in the source keys of items. Repeated imports recognise items by these keys. */
  host: string;
  language: string;
  posts: ReadonlyMap<string, WordPressPost>;
  /** Categories and tags, keyed by {@link termKey}. */
  terms: ReadonlyMap<string, WordPressTerm>;
  /** Authors, keyed by login. */
  authors: ReadonlyMap<string, WordPressAuthor>;
  /** Texts of reusable blocks, keyed by id. */
  blocks: ReadonlyMap<string, string>;
  comments: number;
}

/** Taxonomies that become topics. A category and a tag with the same slug become one topic. */
const IMPORTED_TAXONOMIES: ReadonlySet<string> = new Set(["category", "post_tag"]);

export function termKey(slug: string): string {
  return decodeSlug(slug).toLowerCase();
}

/** Collects the facts about the whole site that are needed before the first text is converted. */
export async function readWordPressSite(
  records: AsyncIterable<WxrRecord | WxrSiteField>,
): Promise<WordPressSite> {
  const posts = new Map<string, WordPressPost>();
  const terms = new Map<string, WordPressTerm>();
  const authors = new Map<string, WordPressAuthor>();
  const blocks = new Map<string, string>();
  const facts = new Map<string, string>();
  const interned = stringInterner();
  let comments = 0;
  for await (const record of records) {
    switch (record.kind) {
      case "fact":
        if (!facts.has(record.name)) facts.set(record.name, record.text);
        break;
      case "author":
        addAuthor(authors, record);
        break;
      case "item": {
        const post = parsePost(record, interned);
        const text = post.type === "wp_block" ? record.fields.get("content:encoded") : undefined;
        posts.set(post.id, post);
        if (text !== undefined) blocks.set(post.id, text);
        comments += record.comments;
        for (const term of record.terms) addNamedTerm(terms, term);
        break;
      }
      default:
        addTerm(terms, record);
    }
  }
  return { ...siteAddress(facts), posts, terms, authors, blocks, comments };
}

/** Returns a function that interns strings, because the posts of a site repeat many of them. */
function stringInterner(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const one = known.get(text) ?? text;
    known.set(one, one);
    return one;
  };
}

export function postIdOf({ fields }: WxrRecord): string {
  return (fields.get("wp:post_id") ?? "").trim();
}

function parsePost(record: WxrRecord, interned: (text: string) => string): WordPressPost {
  const { fields, meta, terms, comments } = record;
  const text = (name: string) => (fields.get(name) ?? "").trim();
  const metaValues = (key: string) =>
    meta.filter(([name]) => name === key).map(([, value]) => value);
  const type = interned(text("wp:post_type") || "post");
  const url = text("wp:attachment_url") || text("guid");
  const [alt = ""] = metaValues("_wp_attachment_image_alt");
  const [sizes = ""] = metaValues("_wp_attachment_metadata");
  return {
    id: postIdOf(record),
    type,
    status: interned(text("wp:status") || "publish"),
    isProtected: text("wp:post_password") !== "",
    title: htmlToPlainText(text("title")),
    slug: decodeSlug(text("wp:post_name")),
    link: text("link"),
    parent: interned(text("wp:post_parent")),
    publishedAt: parseTime(text("wp:post_date_gmt")) || parseTime(text("wp:post_date")),
    modifiedAt: parseTime(text("wp:post_modified_gmt")) || parseTime(text("wp:post_modified")),
    authors: text("dc:creator").split("\n").map(interned),
    terms: terms
      .filter(({ domain }) => IMPORTED_TAXONOMIES.has(domain))
      .map(({ slug }) => interned(termKey(slug))),
    oldSlugs: metaValues("_wp_old_slug").map(decodeSlug),
    formerPaths: record.formerPaths ?? [],
    comments,
    file:
      type === "attachment"
        ? { url, alt: htmlToPlainText(alt).slice(0, 500), sizes: sizeNames(sizes) }
        : null,
  };
}

/**
 * Matches the names of smaller versions in the serialised metadata of a picture:
 * `s:20:"garden-300x200.jpg"`.
 */
const SIZE_NAME = /"([^"/\\]{1,200}-\d{1,5}x\d{1,5}\.[a-z]{3,4})"/gi;

function sizeNames(serialised: string): string[] {
  return [...new Set([...serialised.matchAll(SIZE_NAME)].map(([, name = ""]) => name))];
}

/**
 * A time as ISO 8601; empty if it is missing or all zeros, as for drafts that were never published.
 */
function parseTime(raw: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(raw);
  return match === null || raw.startsWith("0000") ? "" : `${match[1]}T${match[2]}Z`;
}

export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug).normalize("NFC");
  } catch {
    return slug;
  }
}

function addAuthor(authors: Map<string, WordPressAuthor>, { fields }: WxrRecord): void {
  const text = (name: string) => htmlToPlainText(fields.get(`wp:author_${name}`) ?? "");
  const login = (fields.get("wp:author_login") ?? "").trim();
  const [first, last] = [text("first_name"), text("last_name")];
  const name = text("display_name") || `${first} ${last}`.trim() || login;
  const sortName = last === "" || !name.endsWith(last) ? "" : [last, first].join(", ");
  authors.set(login, { id: text("id"), login, name, sortName });
}

const TERM_ELEMENTS: Readonly<
  Record<string, readonly [slug: string, name: string, about: string]>
> = {
  category: ["wp:category_nicename", "wp:cat_name", "wp:category_description"],
  tag: ["wp:tag_slug", "wp:tag_name", "wp:tag_description"],
  term: ["wp:term_slug", "wp:term_name", "wp:term_description"],
};

function addTerm(terms: Map<string, WordPressTerm>, record: WxrRecord): void {
  const { kind, fields, formerPaths = [], notes = [] } = record;
  const taxonomies: Readonly<Record<string, string>> = { category: "category", tag: "post_tag" };
  const taxonomy = taxonomies[kind] ?? fields.get("wp:term_taxonomy")?.trim() ?? "";
  if (!IMPORTED_TAXONOMIES.has(taxonomy)) return;
  const text = (name: string | undefined) => (fields.get(name ?? "") ?? "").trim();
  const [slug, name, about] = TERM_ELEMENTS[kind] ?? [];
  const parents = (text("wp:category_parent") || text("wp:term_parent")).split("\n");
  const key = termKey(text(slug));
  const known = terms.get(key);
  if (known !== undefined && known.taxonomy === "category" && known.id !== "") return;
  terms.set(key, {
    taxonomy,
    id: text("wp:term_id"),
    slug: decodeSlug(text(slug)),
    name: htmlToPlainText(text(name)) || decodeSlug(text(slug)),
    description: text(about),
    parents: parents.filter((parent) => parent !== "").map(termKey),
    ...{ formerPaths, notes },
  });
}

/** Adds a term that a post names, because exports of a single type do not list their categories. */
function addNamedTerm(terms: Map<string, WordPressTerm>, named: WxrRecord["terms"][number]): void {
  const { domain: taxonomy, slug, name } = named;
  if (!IMPORTED_TAXONOMIES.has(taxonomy) || terms.has(termKey(slug))) return;
  const known = { id: "", description: "", parents: [], formerPaths: [], notes: [] };
  terms.set(termKey(slug), {
    ...known,
    taxonomy,
    slug: decodeSlug(slug),
    name: htmlToPlainText(name),
  });
}

/** The exporting systems, keyed by the name of the generator in the export. */
const SYSTEMS: ReadonlyMap<string, ExportingSystem> = new Map([
  ["Ghost", "ghost"],
  ["MediaWiki", "mediawiki"],
]);

function siteAddress(
  facts: ReadonlyMap<string, string>,
): Pick<WordPressSite, "system" | "hosts" | "base" | "host" | "language"> {
  const addresses = ["wp:base_blog_url", "link", "wp:base_site_url"].flatMap(
    (name) => URL.parse(facts.get(name) ?? "") ?? [],
  );
  const [first] = addresses;
  const ownHosts = addresses.slice(0, 2).map(({ host }) => withoutWww(host));
  return {
    system: SYSTEMS.get(facts.get("generator") ?? "") ?? "wordpress",
    hosts: new Set(ownHosts),
    host: first === undefined ? "unknown" : withoutWww(first.host),
    base: first?.pathname.replace(/(?<!\/)\/+$/, "") ?? "",
    language: facts.get("language")?.trim() ?? "",
  };
}

export function withoutWww(host: string): string {
  return host.toLowerCase().replace(/^www\./, "");
}
