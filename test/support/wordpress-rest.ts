import { createServer } from "node:http";
import { ended, listening } from "./listening.ts";

/** Lists by route, such as `wp/v2/posts`; a number is a status without a list. */
export type RestSite = Record<string, readonly object[] | object | number>;

export interface WordPress extends AsyncDisposable {
  origin: string;
  asked: string[];
}

/** A site that answers as WordPress does. `plain`: with plain permalinks, so that a parameter names the route. */
export async function openWordPress(
  site: (origin: string) => RestSite,
  { plain = false, robots = "", head = "" } = {},
): Promise<WordPress> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const address = request.url ?? "";
    asked.push(address);
    const { status, type, body } = answerOf(new URL(address, origin), {
      ...{ plain, robots, head },
      site: { "": { name: "Society", home: origin }, ...site(origin) },
    });
    response.writeHead(status, { "Content-Type": type }).end(body);
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  return {
    origin,
    asked,
    [Symbol.asyncDispose]: () => ended(server),
  };
}

interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
}

function answerOf(
  { origin, pathname, searchParams }: URL,
  { site, plain, robots, head }: { site: RestSite; plain: boolean; robots: string; head: string },
): Answer {
  const ok = { status: 200, type: "text/html" };
  if (pathname === "/robots.txt") return { ...ok, body: robots };
  if (pathname === "/uploads/rose.png") return { ...ok, type: "image/png", body: PICTURE };
  const named = plain ? searchParams.get("rest_route") : null;
  const route = named ?? /^\/wp-json(\/.*)/.exec(pathname)?.[1];
  if (route === undefined) {
    const root = plain ? "/?rest_route=/" : "/wp-json/";
    const link = `<link rel="https://api.w.org/" href="${origin}${root}">`;
    return { ...ok, body: `<!doctype html><html lang="en-GB"><head>${head || link}</head></html>` };
  }
  return restAnswer(site[route.slice(1)] ?? 404, searchParams);
}

function restAnswer(found: RestSite[string], parameters: URLSearchParams): Answer {
  const type = "application/json; charset=UTF-8";
  if (typeof found === "number") return { status: found, type, body: "{}" };
  if (!Array.isArray(found)) return { status: 200, type, body: JSON.stringify(found) };
  const [page, size] = [Number(parameters.get("page")), Number(parameters.get("per_page"))];
  const isBeyond = page > Math.max(1, Math.ceil(found.length / size));
  if (isBeyond) return { status: 400, type, body: '{"code":"rest_post_invalid_page_number"}' };
  return { status: 200, type, body: JSON.stringify(found.slice((page - 1) * size, page * size)) };
}

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A text as the interface has it. */
export function rendered(text: string): { rendered: string } {
  return { rendered: text };
}

/** A small society with posts, a page, topics, an author and a picture. */
export function society(origin: string): RestSite {
  const post = { author: 7, categories: [3], tags: [4], featured_media: 0, parent: 0 };
  return {
    "wp/v2/types": {
      post: { slug: "post", rest_base: "posts", rest_namespace: "wp/v2" },
      page: { slug: "page", rest_base: "pages", rest_namespace: "wp/v2" },
      attachment: { slug: "attachment", rest_base: "media", rest_namespace: "wp/v2" },
      wp_block: { slug: "wp_block", rest_base: "blocks", rest_namespace: "wp/v2" },
    },
    "wp/v2/users": [{ id: 7, slug: "ada", name: "Ada Byron" }],
    "wp/v2/categories": [
      { id: 2, slug: "garden", name: "Garden &amp; land", description: "What grows.", parent: 0 },
      { id: 3, slug: "roses", name: "Roses", parent: 2 },
    ],
    "wp/v2/tags": [{ id: 4, slug: "summer", name: "Summer" }],
    "wp/v2/posts": [
      {
        ...post,
        ...{ id: 11, slug: "first-rose", link: `${origin}/2019/05/first-rose/` },
        ...{ date: "2019-05-04T12:00:00", date_gmt: "2019-05-04T10:00:00" },
        title: rendered("The first rose &#8211; a note"),
        content: rendered(
          `<p>It opened, as one says [sic],<br />\non a <em>Monday</em>.</p>\n<p>See <a href="${origin}/about/">us</a>.</p>\n<figure class="wp-block-image"><img src="${origin}/uploads/rose-300x200.png" alt="A rose" class="wp-image-31"/></figure>`,
        ),
        excerpt: rendered("<p>It opened, as one says [sic], on a Monday. See us. [&hellip;]</p>\n"),
      },
      {
        ...post,
        ...{ id: 12, slug: "second", link: `${origin}/2020/01/second/` },
        ...{ date: "2020-01-02T00:30:00", date_gmt: "2020-01-01T23:30:00" },
        title: rendered("The second"),
        content: { rendered: "<p>Hard\nwrapped.</p>", protected: false },
        excerpt: rendered("<p>Told by hand.</p>"),
      },
      {
        ...post,
        ...{ id: 13, slug: "locked", link: `${origin}/2020/02/locked/` },
        ...{ date: "2020-02-02T00:00:00", date_gmt: "2020-02-02T00:00:00" },
        title: rendered("Protected: The plan"),
        content: { rendered: "", protected: true },
        excerpt: { rendered: "", protected: true },
      },
    ],
    "wp/v2/pages": [
      {
        ...{ id: 21, slug: "about", link: `${origin}/about/`, author: 7, parent: 0 },
        ...{ date: "2018-01-01T00:00:00", date_gmt: "2018-01-01T00:00:00" },
        title: rendered("About"),
        content: rendered(`<p>We are <a href="${origin}/2019/05/first-rose/">here</a>.</p>`),
      },
    ],
    "wp/v2/media": [
      {
        ...{ id: 31, slug: "rose", link: `${origin}/rose/`, author: 7, post: 11 },
        ...{
          title: rendered("rose"),
          alt_text: "A rose",
          source_url: `${origin}/uploads/rose.png`,
        },
        media_details: { sizes: { medium: { file: "rose-300x200.png" } } },
      },
      {
        ...{ id: 32, slug: "plan", link: `${origin}/plan/`, author: 7, post: null },
        ...{ title: rendered("plan"), source_url: `${origin}/uploads/rose.png`, media_details: {} },
      },
    ],
  };
}
