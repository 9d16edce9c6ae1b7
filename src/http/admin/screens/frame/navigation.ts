import type { Scope } from "../../../../access/actor.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { Texts } from "../../texts/english.ts";

interface Entry {
  path: string;
  label(texts: Texts): string;
  /** The scope a person needs to use the screen. */
  scope: Scope;
}

interface Group {
  label(texts: Texts): string;
  /**
   * Set if the group is collapsed by default. The group is expanded while it contains the current screen.
   */
  isFolded?: true;
  entries: readonly Entry[];
}

/** The entries of the navigation, grouped by the kind of work. */
const NAVIGATION_GROUPS: readonly Group[] = [
  {
    label: ({ nav }) => nav.writing,
    entries: [
      { path: "/admin/desk", label: ({ nav }) => nav.desk, scope: "content:read" },
      { path: "/admin/content", label: ({ nav }) => nav.content, scope: "content:read" },
      { path: "/admin/drafts", label: ({ nav }) => nav.drafts, scope: "content:read" },
      { path: "/admin/trash", label: ({ trash }) => trash.title, scope: "content:read" },
      { path: "/admin/media", label: ({ media }) => media.title, scope: "content:read" },
    ],
  },
  {
    label: ({ nav }) => nav.visitors,
    entries: [
      { path: "/admin/requests", label: ({ nav }) => nav.requests, scope: "requests:manage" },
      { path: "/admin/messages", label: ({ nav }) => nav.messages, scope: "requests:manage" },
      { path: "/admin/keys", label: ({ nav }) => nav.keys, scope: "keys:manage" },
      { path: "/admin/insight", label: ({ insight }) => insight.title, scope: "audit:read" },
    ],
  },
  {
    label: ({ nav }) => nav.running,
    entries: [
      { path: "/admin/appearance", label: ({ nav }) => nav.appearance, scope: "settings:write" },
      { path: "/admin/home", label: ({ home }) => home.title, scope: "settings:write" },
      { path: "/admin/navigation", label: ({ nav }) => nav.menus, scope: "settings:write" },
      {
        path: "/admin/languages",
        label: ({ languages }) => languages.title,
        scope: "settings:write",
      },
      { path: "/admin/settings", label: ({ nav }) => nav.settings, scope: "settings:write" },
      { path: "/admin/types", label: ({ types }) => types.title, scope: "content:read" },
      { path: "/admin/jobs", label: ({ jobs }) => jobs.title, scope: "transfer:run" },
      { path: "/admin/people", label: ({ nav }) => nav.people, scope: "admins:manage" },
    ],
  },
  {
    label: ({ nav }) => nav.upkeep,
    isFolded: true,
    entries: [
      {
        path: "/admin/personal-data",
        label: ({ personalData }) => personalData.title,
        scope: "admins:manage",
      },
      {
        path: "/admin/redirects",
        label: ({ redirects }) => redirects.title,
        scope: "content:read",
      },
      { path: "/admin/links", label: ({ links }) => links.title, scope: "content:read" },
      {
        path: "/admin/webhooks",
        label: ({ webhooks }) => webhooks.title,
        scope: "webhooks:manage",
      },
      { path: "/admin/health", label: ({ health }) => health.title, scope: "metrics:read" },
      { path: "/admin/audit", label: ({ nav }) => nav.audit, scope: "audit:read" },
    ],
  },
];

/**
 * The navigation, with the screens that a person with `scopes` can use. `url` is the path of the current
 * screen; `sitePath` is the path at which the person sees the site.
 */
export function navigationHtml(
  texts: Texts,
  { scopes, url, sitePath }: { scopes: readonly Scope[]; url: string; sitePath: string },
): SafeHtml {
  const groups = NAVIGATION_GROUPS.map(({ label, isFolded, entries }) => {
    const permitted = entries.filter(({ scope }) => scopes.includes(scope));
    if (permitted.length === 0) return null;
    const links = permitted.map((entry) => linkHtml(entry.path, entry.label(texts), url));
    const list = html`<ul>\n${links}</ul>\n`;
    if (isFolded !== true) return html`<p class="group">${label(texts)}</p>\n${list}`;
    const isOpen = permitted.some(({ path }) => isCurrent(path, url));
    return html`<details${isOpen && html` open`}><summary>${label(texts)}</summary>\n${list}</details>\n`;
  });
  return html`${groups}<ul class="last">
${linkHtml("/admin/account", texts.nav.account, url)}<li><a href="${sitePath}">${texts.nav.site}</a></li>
</ul>
`;
}

function linkHtml(path: string, label: string, url: string): SafeHtml {
  return html`<li><a href="${path}"${isCurrent(path, url) && html` aria-current="page"`}>${label}</a></li>\n`;
}

function isCurrent(path: string, url: string): boolean {
  return url === path || url.startsWith(`${path}/`);
}

/** The screens that a person can use and whose names contain the search text. */
export function findScreens(
  texts: Texts,
  { scopes, searchText }: { scopes: readonly Scope[]; searchText: string },
): { path: string; label: string }[] {
  if (searchText === "") return [];
  return NAVIGATION_GROUPS.flatMap(({ entries }) => entries)
    .filter(({ scope }) => scopes.includes(scope))
    .map(({ path, label }) => ({ path, label: label(texts) }))
    .filter(({ label }) => label.toLowerCase().includes(searchText.toLowerCase()));
}
