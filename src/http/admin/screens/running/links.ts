import type { LinkState } from "../../../../links/link.ts";
import { translateLinkError } from "../../../../links/link-errors.ts";
import {
  countLinks,
  type ListedLink,
  linkStateSchema,
  listLinks,
} from "../../../../links/listing-links.ts";
import { RECHECKED_LINKS_MAX, recheckLinks } from "../../../../links/rechecking.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText, numberText } from "../../texts/choose.ts";
import { cardList } from "../frame/cards.ts";
import { actionForm, hiddenFields, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/links";
const RECHECK_PATH = `${SCREEN_PATH}/recheck`;
const LINKS_PER_PAGE = 50;
/** The tabs, in order of urgency. */
const STATE_TABS: readonly LinkState[] = ["broken", "unsure", "moved", "good", "new"];

/** Lists the links in one state, by default the broken ones, with the items that contain them. */
const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.links;
    const requested = linkStateSchema.safeParse(query.get("state"));
    const state = requested.success ? requested.data : "broken";
    const cursor = query.get("cursor");
    const counts = await countLinks(parts.stores.links, signedIn.actor);
    const { links: shown, nextCursor } = await listLinks(parts.stores, signedIn.actor, {
      state,
      limit: LINKS_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const tabs = STATE_TABS.map(
      (tab) =>
        html`<span><a href="${SCREEN_PATH}?state=${tab}"${tab === state && html` aria-current="page"`}>${t.states[tab]}</a> <span class="state">${numberText(texts, counts[tab])}</span></span>\n`,
    );
    const mayRecheck = signedIn.actor.scopes.includes("content:write");
    const more = new URLSearchParams({ state, cursor: nextCursor ?? "" });
    const content = html`<p class="hint">${t.hint}</p>
<p class="choices">
${tabs}</p>
<h2>${t.states[state]}</h2>
${cardList(
  shown.map(
    (link) =>
      html`<li>${linkHtml(visit, link)}${mayRecheck && recheckForm(visit, state, [link])}</li>\n`,
  ),
  t.none,
)}${mayRecheck && shown.length > 1 && recheckForm(visit, state, shown)}${nextCursor !== null && html`<p><a href="${SCREEN_PATH}?${String(more)}">${t.more}</a></p>\n`}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

function linkHtml(
  visit: ScreenVisit,
  { url, status, fault, target, checkedAt, items, inMenus }: ListedLink,
): SafeHtml {
  const t = visit.texts.links;
  const reason = translateLinkError({ fault, status })?.[visit.texts.language];
  const places = items.map(
    ({ id, title }) => html`<li><a href="/admin/content/${id}">${title}</a></li>\n`,
  );
  if (inMenus) places.push(html`<li><a href="/admin/navigation">${t.inMenus}</a></li>\n`);
  return html`<a href="${url}" rel="noreferrer nofollow">${url}</a>
<div>${reason}${target !== null && html`${t.leadsTo} <a href="${target}" rel="noreferrer nofollow">${target}</a>`}</div>
${checkedAt !== null && html`<div class="state">${t.checked(dateAndTimeText(visit, checkedAt))}</div>\n`}<ul>
${places}</ul>`;
}

/** The form that requests another check of links and returns to the list. */
function recheckForm(
  visit: ScreenVisit,
  state: LinkState,
  links: readonly Pick<ListedLink, "url">[],
): SafeHtml {
  const t = visit.texts.links;
  const urls = links.map(({ url }) => hiddenFields({ url }));
  const button = links.length === 1 ? t.recheck : t.recheckAll;
  const content = html`${urls}`;
  return actionForm(visit, RECHECK_PATH, { button, hidden: { state }, content, isQuiet: true });
}

const recheck: Screen = {
  method: "POST",
  path: RECHECK_PATH,
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const urls = form.values("url").slice(0, RECHECKED_LINKS_MAX);
    await parts.atomically(({ links }) =>
      recheckLinks(links, signedIn.actor, urls, { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}?state=${encodeURIComponent(form.value("state"))}`);
  },
};

export const linkScreens: readonly Screen[] = [list, recheck];
