/** An entry of an export, as WordPress writes it. */
export interface ExportedPost {
  id: number;
  title: string;
  content?: string;
  type?: string;
  status?: string;
  /** The address of the entry. Absent: an address with the number of the entry. */
  link?: string;
  slug?: string;
  /** In the form `2019-05-04 10:00:00`. */
  date?: string;
  /** As `date`. Absent: the entry does not say when it was last changed. */
  modified?: string;
  password?: string;
  parent?: number;
  creator?: string;
  excerpt?: string;
  terms?: readonly (readonly [domain: string, slug: string, name: string])[];
  meta?: Readonly<Record<string, string>>;
  attachmentUrl?: string;
  comments?: number;
}

const SITE = "https://old.example.org";

/** An export file of a society's site, as WordPress 6 writes it. */
export function wordPressExport(posts: readonly ExportedPost[], more = ""): string {
  return [exportStart(more), ...posts.map(exportedItem), EXPORT_END].join("");
}

export const EXPORT_END = "</channel>\n</rss>\n";

/** The start of an export, up to its first entry. `more`: additional elements of the channel. */
export function exportStart(more = ""): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.5.2" created="2024-05-04 10:00" -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
	<title>The Society</title>
	<link>${SITE}</link>
	<language>en-GB</language>
	<wp:wxr_version>1.2</wp:wxr_version>
	<wp:base_site_url>${SITE}</wp:base_site_url>
	<wp:base_blog_url>${SITE}</wp:base_blog_url>
	<wp:author><wp:author_id>1</wp:author_id><wp:author_login><![CDATA[ada]]></wp:author_login><wp:author_email><![CDATA[ada@private.example]]></wp:author_email><wp:author_display_name><![CDATA[Ada Byron]]></wp:author_display_name><wp:author_first_name><![CDATA[Ada]]></wp:author_first_name><wp:author_last_name><![CDATA[Byron]]></wp:author_last_name></wp:author>
	<wp:category><wp:term_id>2</wp:term_id><wp:category_nicename><![CDATA[garden]]></wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name><![CDATA[Garden &amp; land]]></wp:cat_name><wp:category_description><![CDATA[What grows.]]></wp:category_description></wp:category>
	<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename><![CDATA[roses]]></wp:category_nicename><wp:category_parent><![CDATA[garden]]></wp:category_parent><wp:cat_name><![CDATA[Roses]]></wp:cat_name></wp:category>
	<wp:tag><wp:term_id>4</wp:term_id><wp:tag_slug><![CDATA[hidden-plan]]></wp:tag_slug><wp:tag_name><![CDATA[Hidden plan]]></wp:tag_name></wp:tag>
${more}`;
}

export function exportedItem(post: ExportedPost): string {
  const { id, type = "post", status = "publish", date = "2019-05-04 10:00:00" } = post;
  const terms = (post.terms ?? []).map(
    ([domain, slug, name]) =>
      `<category domain="${domain}" nicename="${slug}"><![CDATA[${name}]]></category>`,
  );
  const meta = Object.entries(post.meta ?? {}).map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key><![CDATA[${key}]]></wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
  );
  const comment =
    "<wp:comment><wp:comment_author><![CDATA[Visitor]]></wp:comment_author><wp:comment_author_email>v@private.example</wp:comment_author_email><wp:comment_content><![CDATA[Nice]]></wp:comment_content></wp:comment>";
  return `	<item>
		<title><![CDATA[${post.title}]]></title>
		<link>${SITE}${post.link ?? `/?p=${id}`}</link>
		<dc:creator><![CDATA[${post.creator ?? "ada"}]]></dc:creator>
		<guid isPermaLink="false">${post.attachmentUrl ?? `${SITE}/?p=${id}`}</guid>
		<content:encoded><![CDATA[${post.content ?? ""}]]></content:encoded>
		<excerpt:encoded><![CDATA[${post.excerpt ?? ""}]]></excerpt:encoded>
		<wp:post_id>${id}</wp:post_id>
		<wp:post_date><![CDATA[${date}]]></wp:post_date>
		<wp:post_date_gmt><![CDATA[${date}]]></wp:post_date_gmt>
		${post.modified === undefined ? "" : `<wp:post_modified_gmt><![CDATA[${post.modified}]]></wp:post_modified_gmt>`}
		<wp:post_name><![CDATA[${post.slug ?? ""}]]></wp:post_name>
		<wp:status><![CDATA[${status}]]></wp:status>
		<wp:post_parent>${post.parent ?? 0}</wp:post_parent>
		<wp:post_type><![CDATA[${type}]]></wp:post_type>
		<wp:post_password><![CDATA[${post.password ?? ""}]]></wp:post_password>
		${post.attachmentUrl === undefined ? "" : `<wp:attachment_url><![CDATA[${post.attachmentUrl}]]></wp:attachment_url>`}
		${terms.join("")}${meta.join("")}${comment.repeat(post.comments ?? 0)}
	</item>
`;
}
