import { isReservedPath } from "../../addresses/paths.ts";
import type { ContentTypes } from "../../types/content-type.ts";
import type { RedirectPair } from "../redirects/redirect-rule.ts";
import { uploadPathOf } from "./old-links.ts";
import { formerPath } from "./post-addresses.ts";
import type { PlannedPost, WordPressImportPlan } from "./wordpress-plan.ts";
import {
  decodeSlug,
  type WordPressPost,
  type WordPressSite,
  type WordPressTerm,
} from "./wordpress-site.ts";

/** Redirects from all addresses of the former site whose content is public on this site. */
export function buildFormerAddressRedirects(
  plan: WordPressImportPlan,
  shownUploads: ReadonlyMap<string, string>,
  types: ContentTypes,
): RedirectPair[] {
  const lists = new Set([...types.values()].map(({ listPath }) => listPath));
  const found = new Map<string, string>();
  for (const { from, to } of allFormer(plan, shownUploads)) found.set(plan.site.base + from, to);
  for (const { from, to } of statedPaths(plan, shownUploads)) found.set(from, to);
  const redirects: RedirectPair[] = [];
  for (const [from, to] of found) {
    if (from !== to && !isReservedPath(from) && !lists.has(from)) redirects.push({ from, to });
  }
  return redirects;
}

function* allFormer(
  plan: WordPressImportPlan,
  shownUploads: ReadonlyMap<string, string>,
): Generator<RedirectPair> {
  for (const planned of plan.posts.values()) yield* formerPost(planned, plan.site);
  yield* formerTermsAndAuthors(plan);
  yield* formerLists(plan);
  for (const post of plan.files.values()) yield* formerFile(post, plan.site, shownUploads);
}

/** Redirects from the addresses that the export states for a post, a term or a file. */
function* statedPaths(
  { posts, topics, files }: WordPressImportPlan,
  shownUploads: ReadonlyMap<string, string>,
): Generator<RedirectPair> {
  const published = [...posts.values()].filter(
    ({ outcome }) => outcome.visibility.status === "published",
  );
  for (const { post, path } of published) yield* redirectsTo(path, post);
  for (const { term, path, isPublic } of topics.values())
    if (isPublic) yield* redirectsTo(path, term);
  for (const post of files.values()) {
    yield* redirectsTo(shownUploads.get(uploadPathOf(post) ?? ""), post);
  }
}

/**
 * The redirects from `formerPaths` to a path.
 *
 * @param to undefined: the content is not public, so there are no redirects.
 */
function redirectsTo(
  to: string | undefined,
  { formerPaths }: Pick<WordPressPost, "formerPaths">,
): RedirectPair[] {
  return to === undefined ? [] : formerPaths.map((from) => ({ from, to }));
}

function formerPost({ post, outcome, path }: PlannedPost, site: WordPressSite): RedirectPair[] {
  if (outcome.visibility.status !== "published" || site.system === "mediawiki") return [];
  const { id, type, oldSlugs } = post;
  const former = formerPath(post, site);
  const isNamed = former !== null && former !== "/";
  const folder = isNamed ? former.slice(0, former.lastIndexOf("/")) : "";
  const all = [
    ...(isNamed ? [former, ...oldSlugs.map((slug) => `${folder}/${slug}`)] : []),
    ...(isNamed && type !== "page" ? ofWordPress(site, `${former}/feed`) : []),
    ...(type === "page" ? ofWordPress(site, `/?page_id=${id}`) : []),
    ...ofWordPress(site, `/?p=${id}`),
  ];
  return all.map((from) => ({ from, to: path }));
}

/** A list with the address if the former site used WordPress; an empty list for other systems. */
function ofWordPress({ system }: WordPressSite, address: string): string[] {
  return system === "wordpress" ? [address] : [];
}

/** Redirects from author, category and tag pages, including their numbered pages and feeds. */
function formerTermsAndAuthors({ site, authors, topics }: WordPressImportPlan): RedirectPair[] {
  const people = [...authors.values()].flatMap(({ author: { id, login }, path }) => [
    { from: `/author/${login}/*`, to: path },
    ...(id === "" ? [] : [{ from: `/?author=${id}`, to: path }]),
  ]);
  const subjects = [...topics.values()].filter(({ isPublic }) => isPublic);
  return [
    ...people,
    ...subjects.flatMap(({ term, path }) =>
      formerTerm(term, site).map((from) => ({ from, to: path })),
    ),
  ];
}

/**
 * Limit on the depth of categories. A redirect pattern has at most eight segments; `category` and
 * `*` take two.
 */
const DEPTH_MAX = 6;

function formerTerm(term: WordPressTerm, site: WordPressSite): string[] {
  const { taxonomy, id, slug } = term;
  if (site.system === "mediawiki") return [];
  if (taxonomy !== "category") return [`/tag/${slug}/*`, ...ofWordPress(site, `/?tag=${slug}`)];
  const slugs = [slug];
  const above = ({ parents: [parent = ""] }: WordPressTerm) => site.terms.get(parent);
  for (let at = above(term); at !== undefined; at = above(at)) {
    if (slugs.length === DEPTH_MAX) break;
    slugs.unshift(at.slug);
  }
  return [`/category/${slugs.join("/")}/*`, ...(id === "" ? [] : [`/?cat=${id}`])];
}

/** Names of WordPress's feed formats in queries. */
const FEED_FORMATS = ["feed", "rss", "rss2", "atom", "rdf"];

/** Redirects from the feeds, the date archives, and the list of uncategorised posts. */
function formerLists({ posts, postsPath, site }: WordPressImportPlan): RedirectPair[] {
  if (site.system === "mediawiki") return [];
  if (site.system === "ghost") return [{ from: "/rss", to: "/feed.atom" }];
  const to = postsPath ?? "/";
  const published = [...posts.values()].filter(
    ({ post, outcome }) => post.type === "post" && outcome.visibility.status === "published",
  );
  const archives = published.flatMap(({ post }) => {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(post.publishedAt) ?? [];
    return year === undefined ? [] : [`/${year}`, `/${year}/${month}`, `/${year}/${month}/${day}`];
  });
  const lists = archives.length === 0 ? [] : ["/category/uncategorized", ...archives];
  return [
    { from: "/feed", to: "/feed.atom" },
    { from: "/feed/atom", to: "/feed.atom" },
    ...FEED_FORMATS.map((format) => ({ from: `/?feed=${format}`, to: "/feed.atom" })),
    ...[...new Set(lists)].map((from) => ({ from, to })),
  ];
}

/**
 * The redirects to a file that public texts show: from its former address, from the addresses of
 * all its sizes, and from its attachment page.
 */
function formerFile(
  post: WordPressPost,
  site: WordPressSite,
  shownUploads: ReadonlyMap<string, string>,
): RedirectPair[] {
  const upload = uploadPathOf(post);
  const to = upload === null ? undefined : shownUploads.get(upload);
  const url = URL.parse(post.file?.url ?? "");
  if (to === undefined || url === null) return [];
  const decoded = decodeSlug(url.pathname);
  const { base } = site;
  const sitePath = decoded.startsWith(`${base}/`) ? decoded.slice(base.length) : decoded;
  const folder = sitePath.slice(0, sitePath.lastIndexOf("/") + 1);
  const sizes = (post.file?.sizes ?? []).map((name) => folder + name);
  const page = formerPath(post, site);
  const attachmentPages = page === null || page === "/" ? [] : [page];
  const numbered = ofWordPress(site, `/?attachment_id=${post.id}`);
  const all = [sitePath, ...sizes, ...attachmentPages, ...numbered];
  return [...new Set(all)].map((from) => ({ from, to }));
}
