import { asHtmlBlock } from "../../../content/import/wordpress/blocks.ts";
import { plainText } from "../../../content/import/wordpress/post-markdown.ts";
import { escapeXml } from "../../../discovery/xml.ts";
import type { RestMedium, RestPost, RestTerm, RestUser } from "./rest-entries.ts";

export interface ExportedSite {
  title: string;
  /** The address of the home page. */
  home: string;
  language: string;
}

/**
 * The start of an export in WordPress's own format (WXR), which the import of WordPress sites reads. Entries
 * and {@link EXPORT_END} follow.
 */
export function exportStart({ title, home, language }: ExportedSite): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
${elements({
  title,
  link: home,
  language,
  "wp:wxr_version": "1.2",
  "wp:base_site_url": home,
  "wp:base_blog_url": home,
})}`;
}

export const EXPORT_END = "</channel>\n</rss>\n";

export function userXml({ id, slug, name }: RestUser): string {
  return element("wp:author", {
    "wp:author_id": String(id),
    "wp:author_login": slug,
    "wp:author_display_name": name,
  });
}

export function categoryXml(
  { id, slug, name, description, parent }: RestTerm,
  categories: ReadonlyMap<number, RestTerm>,
): string {
  return element("wp:category", {
    "wp:term_id": String(id),
    "wp:category_nicename": slug,
    "wp:category_parent": categories.get(parent)?.slug ?? "",
    "wp:cat_name": name,
    "wp:category_description": description,
  });
}

export function tagXml({ id, slug, name, description }: RestTerm): string {
  return element("wp:tag", {
    "wp:term_id": String(id),
    "wp:tag_slug": slug,
    "wp:tag_name": name,
    "wp:tag_description": description,
  });
}

/** The terms and authors of a site, by id. */
export interface TermsAndAuthors {
  categories: ReadonlyMap<number, RestTerm>;
  tags: ReadonlyMap<number, RestTerm>;
  /** Login names of authors. */
  logins: ReadonlyMap<number, string>;
}

/** @param type the post type, such as `page`. */
export function postXml(post: RestPost, type: string, names: TermsAndAuthors): string {
  const { content, categories, tags } = post;
  const terms = [
    ...writtenTerms("category", categories, names.categories),
    ...writtenTerms("post_tag", tags, names.tags),
  ];
  const fields = elements({
    ...commonFields(post, type, names),
    "content:encoded": asHtmlBlock(content.rendered),
    "excerpt:encoded": writtenExcerpt(post),
    "wp:post_parent": String(post.parent),
    // Marks a protected post: the interface shows neither its text nor its password.
    "wp:post_password": content.protected ? "protected" : "",
  });
  return `<item>\n${fields}${terms.join("")}${meta("_thumbnail_id", String(post.featured_media || ""))}</item>\n`;
}

export function mediumXml(medium: RestMedium, names: TermsAndAuthors): string {
  const fields = elements({
    ...commonFields(medium, "attachment", names),
    "wp:post_parent": String(medium.post ?? 0),
    "wp:attachment_url": medium.source_url,
  });
  const { alt_text: alt, media_details: sizes } = medium;
  return `<item>\n${fields}${meta("_wp_attachment_image_alt", alt)}${meta("_wp_attachment_metadata", JSON.stringify(sizes))}</item>\n`;
}

function commonFields(
  { id, title, link, author, slug, ...times }: RestPost | RestMedium,
  type: string,
  { logins }: TermsAndAuthors,
): Record<string, string> {
  return {
    title: title.rendered,
    link,
    "dc:creator": logins.get(author) ?? "",
    "wp:post_id": String(id),
    "wp:post_date": writtenTime(times.date),
    "wp:post_date_gmt": writtenTime(times.date_gmt),
    "wp:post_modified": writtenTime(times.modified),
    "wp:post_modified_gmt": writtenTime(times.modified_gmt),
    "wp:post_name": slug,
    "wp:status": type === "attachment" ? "inherit" : "publish",
    "wp:post_type": type,
  };
}

function writtenTime(time: string | null | undefined): string {
  return (time ?? "").replace("T", " ");
}

/**
 * An excerpt counts as generated if its first characters, up to this many, are also the start of
 * the text.
 */
const EXCERPT_START_CHARACTERS = 100;
/** Enough HTML to contain {@link EXCERPT_START_CHARACTERS} of text. */
const HTML_CHARACTERS = 20_000;

/** The excerpt; empty if WordPress generated it from the text. */
function writtenExcerpt({ excerpt, content }: RestPost): string {
  const words = plainText(excerpt.rendered.slice(0, HTML_CHARACTERS));
  const text = plainText(content.rendered.slice(0, HTML_CHARACTERS));
  const stated = words.replace(/\s*(?:\[…\]|\[\.{3}\]|…)$/, "");
  const start = stated.slice(0, EXCERPT_START_CHARACTERS);
  return text.startsWith(start) ? "" : excerpt.rendered;
}

function writtenTerms(
  domain: string,
  ids: readonly number[],
  terms: ReadonlyMap<number, RestTerm>,
): string[] {
  return ids.flatMap((id) => {
    const term = terms.get(id);
    if (term === undefined) return [];
    const nicename = escapeXml(term.slug);
    return `<category domain="${domain}" nicename="${nicename}">${escapeXml(term.name)}</category>\n`;
  });
}

function meta(key: string, value: string): string {
  if (value === "" || value === "[]") return "";
  return element("wp:postmeta", { "wp:meta_key": key, "wp:meta_value": value });
}

function element(name: string, fields: Readonly<Record<string, string>>): string {
  return `<${name}>\n${elements(fields)}</${name}>\n`;
}

function elements(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>\n`)
    .join("");
}
