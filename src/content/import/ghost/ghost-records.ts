import type { Wording } from "../../../errors.ts";
import { wrapInHtmlBlock } from "../wordpress/blocks.ts";
import { extractUrlsFromHtml } from "../wordpress/post-markdown.ts";
import { HTML_CHARACTERS_MAX } from "../wordpress/post-text.ts";
import { escapeHtml } from "../wordpress/shortcodes.ts";
import { GHOST_ORIGIN } from "../wordpress/wordpress-site.ts";
import type { WxrRecord, WxrSiteField } from "../wordpress/wxr-records.ts";
import { type GhostRow, ghostExportError, readGhostRows } from "./ghost-rows.ts";
import { formerGhostPostPath } from "./post-path.ts";

/** Placeholder that Ghost writes instead of the address of the site. */
const HOME = /__GHOST_URL__\/?/g;
/**
 * WordPress statuses, keyed by Ghost status. A post with any other Ghost status becomes a draft and is
 * reported.
 */
const STATUSES: Readonly<Record<string, string>> = { published: "publish", scheduled: "future" };

type Values = Readonly<Record<string, unknown>>;

/** Maximum total length, in characters, of the rows that are kept in memory while posts are read. */
const JOINED_CHARACTERS_MAX = 64 * 1024 * 1024;
const JOINED_TABLES: ReadonlySet<string> = new Set(
  "tags users posts_tags posts_authors posts_meta settings".split(" "),
);

const TOO_MANY_ROWS: Wording = {
  en: "its tags, authors and settings are longer than 64 MB",
  de: "Seine Schlagwörter, Autoren und Einstellungen sind länger als 64 MB",
};

/** The rows that posts refer to, by id. */
interface GhostTables {
  tags: ReadonlyMap<string, Values>;
  users: ReadonlyMap<string, Values>;
  /** The tag ids of each post, in order, keyed by post id. */
  tagsByPost: ReadonlyMap<string, readonly string[]>;
  authorsByPost: ReadonlyMap<string, readonly string[]>;
  /** Rows with a post's meta description and the description of its lead picture, keyed by post id. */
  details: ReadonlyMap<string, Values>;
  settings: ReadonlyMap<string, string>;
}

/**
 * Converts a Ghost export to the records of a WordPress export, so that both are imported in the same way.
 * Members-only texts become private.
 *
 * @param file is read twice, because posts come before their tags.
 * @throws {AppError} `invalid` for a damaged export.
 */
export async function* convertGhostToWxrRecords(file: {
  tables: AsyncIterable<string>;
  posts: AsyncIterable<string>;
}): AsyncGenerator<WxrRecord | WxrSiteField> {
  const tables = await tablesIn(readGhostRows(file.tables));
  yield { kind: "fact", name: "generator", text: "Ghost" };
  yield { kind: "fact", name: "wp:base_blog_url", text: GHOST_ORIGIN };
  const { settings } = tables;
  const language = settings.get("locale") ?? settings.get("lang") ?? settings.get("default_locale");
  if (language !== undefined) yield { kind: "fact", name: "language", text: language };
  for (const user of tables.users.values()) yield authorRecord(user);
  for (const tag of tables.tags.values()) yield tagRecord(tag);
  const files = new Set<string>();
  let number = 0;
  for await (const { table, values } of readGhostRows(file.posts)) {
    if (table !== "posts") continue;
    number += 1;
    const record = values === null ? longPostRecord(number) : postRecord(values, tables);
    for (const file of filesIn(record)) {
      if (files.has(file.url)) continue;
      files.add(file.url);
      yield fileRecord(file);
    }
    yield record;
  }
}

async function tablesIn(rows: AsyncIterable<GhostRow>): Promise<GhostTables> {
  const byTable = new Map<string, Values[]>();
  let characters = 0;
  for await (const { table, values, ...row } of rows) {
    if (values === null || !JOINED_TABLES.has(table)) continue;
    characters += row.characters;
    if (characters > JOINED_CHARACTERS_MAX) throw ghostExportError(TOO_MANY_ROWS);
    const known = byTable.get(table);
    if (known === undefined) byTable.set(table, [values]);
    else known.push(values);
  }
  const of = (table: string) => byTable.get(table) ?? [];
  return {
    tags: rowsById(of("tags").filter((tag) => !isInternal(tag))),
    users: rowsById(of("users")),
    tagsByPost: idsByPost(of("posts_tags"), "tag_id"),
    authorsByPost: idsByPost(of("posts_authors"), "author_id"),
    details: rowsById(of("posts_meta"), "post_id"),
    settings: new Map(of("settings").map(({ key, value }) => [textOf(key), textOf(value)])),
  };
}

function rowsById(rows: readonly Values[], id = "id"): Map<string, Values> {
  return new Map(rows.map((row) => [textOf(row[id]), row]));
}

function idsByPost(rows: readonly Values[], id: string): Map<string, string[]> {
  const ordered = rows.toSorted((a, b) => orderOf(a) - orderOf(b));
  const groups = Map.groupBy(ordered, (row) => textOf(row["post_id"]));
  return new Map([...groups].map(([post, each]) => [post, each.map((row) => textOf(row[id]))]));
}

function orderOf({ sort_order: order }: Values): number {
  return typeof order === "number" ? order : 0;
}

/** Whether a tag is for the editors only, such as `#no-header`. */
function isInternal(tag: Values): boolean {
  return tag["visibility"] === "internal" || textOf(tag["name"]).startsWith("#");
}

/** Returns strings and numbers as text; empty for anything else. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const EMPTY: Omit<WxrRecord, "kind" | "fields"> = {
  ...{ line: 1, meta: [], terms: [], comments: 0, isCut: false },
};

function authorRecord(user: Values): WxrRecord {
  const fields = {
    "wp:author_login": textOf(user["slug"]),
    "wp:author_display_name": escapeHtml(textOf(user["name"])),
  };
  return { ...EMPTY, kind: "author", fields: new Map(Object.entries(fields)) };
}

function tagRecord(tag: Values): WxrRecord {
  const fields = {
    "wp:tag_slug": textOf(tag["slug"]),
    "wp:tag_name": escapeHtml(textOf(tag["name"])),
    "wp:tag_description": escapeHtml(textOf(tag["description"])),
  };
  return { ...EMPTY, kind: "tag", fields: new Map(Object.entries(fields)) };
}

function postRecord(post: Values, tables: GhostTables): WxrRecord {
  const text = (name: string) => textOf(post[name]).replace(HOME, "/");
  const id = text("id");
  const details = tables.details.get(id) ?? post;
  const tags = rowsOf(tables.tags, tables.tagsByPost.get(id) ?? []);
  const users = rowsOf(tables.users, tables.authorsByPost.get(id) ?? [text("author_id")]);
  const authors = users.map(({ slug }) => textOf(slug));
  const isPage = post["type"] === "page" || post["page"] === 1 || post["page"] === true;
  const published = utcTime(post["published_at"]);
  const path = formerGhostPostPath(isPage ? undefined : tables.settings.get("permalinks"), {
    ...{ id, slug: text("slug"), published },
    author: authors[0] ?? "",
    tag: textOf(tags[0]?.["slug"]),
  });
  const html = htmlOf(post, details);
  const isCut = html.length > HTML_CHARACTERS_MAX;
  const fields = {
    title: escapeHtml(text("title")),
    link: `${GHOST_ORIGIN}${path}`,
    "dc:creator": authors.join("\n"),
    "wp:post_id": id,
    "wp:post_type": isPage ? "page" : "post",
    "wp:post_name": text("slug"),
    "wp:post_date": published,
    "wp:post_date_gmt": published,
    "wp:post_modified_gmt": utcTime(post["updated_at"]),
    "wp:status": statusOf(post),
    "content:encoded": isCut ? "" : html,
    "excerpt:encoded": escapeHtml(text("custom_excerpt")),
  };
  const description = textOf(details["meta_description"]);
  return {
    ...EMPTY,
    kind: "item",
    isCut,
    fields: new Map(Object.entries(fields)),
    meta: [["_yoast_wpseo_metadesc", escapeHtml(description)]],
    terms: tags.map(({ slug, name }) => ({
      ...{ domain: "post_tag", slug: textOf(slug), name: escapeHtml(textOf(name)) },
    })),
  };
}

/** A record for a post that is too long to read, so that the report includes the post. */
function longPostRecord(number: number): WxrRecord {
  const fields = { "wp:post_id": `post-${number}`, "wp:status": "draft", "wp:post_type": "page" };
  return { ...EMPTY, kind: "item", fields: new Map(Object.entries(fields)), isCut: true };
}

function rowsOf(rows: ReadonlyMap<string, Values>, ids: readonly string[]): Values[] {
  return ids.flatMap((id) => {
    const found = rows.get(id);
    return found === undefined ? [] : [found];
  });
}

/** The WordPress status of a post: private, unless everybody could read the post. */
function statusOf({ status, visibility = "public" }: Values): string {
  if (visibility !== "public") return "private";
  const stated = textOf(status);
  return Object.hasOwn(STATUSES, stated) ? (STATUSES[stated] ?? "") : stated || "draft";
}

/** Returns the text of a post with its lead picture above it, unless the text contains that picture. */
function htmlOf(post: Values, details: Values): string {
  const written = textOf(post["html"]).replace(HOME, "/");
  const plain = textOf(post["plaintext"]) || textOf(post["markdown"]);
  const html = written === "" ? plainParagraphs(plain) : written;
  const raw = textOf(post["feature_image"]) || textOf(post["image"]);
  const picture = raw.replace(HOME, "/");
  if (picture === "" || html.includes(picture)) return wrapInHtmlBlock(html);
  const alt = textOf(details["feature_image_alt"]);
  const caption = textOf(details["feature_image_caption"]);
  const figure = `<figure><img src="${escapeHtml(picture)}" alt="${escapeHtml(alt)}">${caption && `<figcaption>${caption}</figcaption>`}</figure>`;
  return wrapInHtmlBlock(`${figure}\n${html}`);
}

function plainParagraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim())}</p>`)
    .join("\n");
}

interface LinkedFile {
  url: string;
  post: string;
}

/** The files of the site that a text shows or links to, such as `/content/images/2024/05/garden.jpg`. */
function filesIn({ fields }: WxrRecord): LinkedFile[] {
  const post = fields.get("wp:post_id") ?? "";
  return extractUrlsFromHtml(fields.get("content:encoded") ?? "").flatMap((address) => {
    const url = URL.parse(address, GHOST_ORIGIN);
    if (url?.origin !== GHOST_ORIGIN) return [];
    const path = url.pathname.replace(/\/size\/w\d+(?:h\d+)?(?:\/format\/\w+)?(?=\/)/, "");
    if (!/^\/content\/(?:images|media|files)\//.test(path)) return [];
    return [{ url: GHOST_ORIGIN + path, post }];
  });
}

function fileRecord({ url, post }: LinkedFile): WxrRecord {
  const fields = {
    title: escapeHtml(url.slice(url.lastIndexOf("/") + 1)),
    "wp:post_id": url,
    "wp:post_type": "attachment",
    "wp:status": "inherit",
    "wp:attachment_url": url,
    "wp:post_parent": post,
  };
  return { ...EMPTY, kind: "item", fields: new Map(Object.entries(fields)) };
}

/**
 * A time as WordPress writes it, in UTC; empty if there is none. Early versions of Ghost stored milliseconds.
 */
function utcTime(value: unknown): string {
  const isTime = (typeof value === "string" && value !== "") || typeof value === "number";
  const time = new Date(isTime ? value : Number.NaN);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString().slice(0, 19).replace("T", " ");
}
