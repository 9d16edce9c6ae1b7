import { countGoneUrls, formatNonZeroCount, listMovedUrls } from "./former-addresses.ts";
import { type ExportHost, type HostRulesInput, WEB_ROOT, wildcardPrefix } from "./host.ts";

/**
 * Limit from https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits
 */
const SITE_BYTES_MAX = 1_000_000_000;

export const githubPages: ExportHost = {
  readsPageNumbers: false,
  answersGone: false,
  rules(input) {
    // Without this file, GitHub Pages omits folders whose names begin with a dot or an underscore.
    const noJekyll = { name: `${WEB_ROOT}/.nojekyll`, text: "" };
    const pages = listMovedUrls(input).flatMap(({ from, to }) => {
      const name = redirectPageName(from);
      return name === null || input.files.has(name)
        ? []
        : [{ name: `${WEB_ROOT}/${name}`, text: redirectPage(to, input.origin) }];
    });
    return [noJekyll, ...pages];
  },
  limits(input) {
    const moved = listMovedUrls(input);
    const patterns = moved.filter(({ from }) => wildcardPrefix(from) !== null).length;
    const others = moved.filter(
      ({ from }) => redirectPageName(from) === null && wildcardPrefix(from) === null,
    ).length;
    return [
      "GitHub Pages sends no headers of your own, and redirects by pages",
      ...formatNonZeroCount(patterns, "redirects of patterns, which GitHub Pages does not have"),
      ...formatNonZeroCount(
        others,
        "redirects of addresses that are not pages (with a query, .md, .php and the like)",
      ),
      ...formatNonZeroCount(
        countGoneUrls(input),
        "withdrawn addresses, which GitHub Pages answers with 404 instead of 410",
      ),
      ...siteSizeNote(input),
    ];
  },
};

function siteSizeNote({ files }: HostRulesInput): string[] {
  const bytes = [...files.values()].reduce((sum, each) => sum + each, 0);
  if (bytes <= SITE_BYTES_MAX) return [];
  return [`${(bytes / 1e9).toFixed(1)} GB in all: GitHub Pages takes sites of up to 1 GB`];
}

/**
 * Name of the page that redirects from an address; null if GitHub Pages cannot serve a page there.
 */
function redirectPageName(from: string): string | null {
  if (from.includes("?") || wildcardPrefix(from) !== null) return null;
  const name = from.slice(1);
  if (/\.html?$/.test(name)) return name;
  return /\.[a-z0-9]{1,5}$/i.test(name) ? null : `${name}.html`;
}

function redirectPage(to: string, origin: string): string {
  const address = escaped(to.startsWith("/") ? origin + to : to);
  return `<!doctype html>
<meta charset="utf-8">
<title>${address}</title>
<link rel="canonical" href="${address}">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${address}">
<p><a href="${address}">${address}</a></p>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
