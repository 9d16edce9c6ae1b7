import { readStartTags } from "../../../content/import/streams/open-tags.ts";
import { withoutWww } from "../../../content/import/wordpress/wordpress-site.ts";

/**
 * The relation of links to the REST interface:
 * https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/
 */
const REST_RELATION = "https://api.w.org/";

/**
 * The address of a WordPress site's REST interface, as a page of the site names it. Null: the page
 * names no such address, or an address on another host.
 */
export function findRestRootUrl(html: string, url: string): URL | null {
  let root: URL | null = null;
  readStartTags(html, (name, { rel, href }) => {
    if (name === "link" && rel === REST_RELATION) root ??= URL.parse(href ?? "", url);
  });
  return root !== null && isSameHost(root, url) ? root : null;
}

function isSameHost({ host }: URL, url: string): boolean {
  return withoutWww(host) === withoutWww(new URL(url).host);
}

/**
 * The address of a route, such as `wp/v2/posts`. On sites with plain permalinks, the route is in a
 * query parameter.
 */
export function buildRestUrl(
  root: URL,
  route: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const address = new URL(root);
  const base = address.searchParams.get("rest_route");
  if (base === null) address.pathname = joined(address.pathname, route);
  else address.searchParams.set("rest_route", joined(base, route));
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

function joined(base: string, route: string): string {
  return `${base.replace(/\/$/, "")}/${route}`;
}
