import { removeMessage, setMessageState } from "../../../../access/submissions/messages.ts";
import { listSubmissions } from "../../../../access/submissions/submissions.ts";
import { html } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/messages";
const MESSAGES_PER_PAGE = 50;
/** Matches a message sent from an item's page: the page's path, then the text. */
const ABOUT_LINE = /^About: (.+)\n\n([\s\S]*)$/;

/**
 * Whether a path leads to a page of this site. Browsers interpret some paths, such as
 * `/\example.org`, as the address of another site.
 */
function isOnSite(about: string, origin: string): boolean {
  return about.startsWith("/") && URL.parse(about, origin)?.origin === new URL(origin).origin;
}

const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "requests:manage",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.messages;
    const before = query.get("before");
    const options = { state: null, before, limit: MESSAGES_PER_PAGE };
    const messages = await listSubmissions(parts.stores.messages, signedIn.actor, options);
    const cards = messages.map(({ id, name, email, text, state, receivedAt }) => {
      const isNew = state === "new";
      const [, about = "", rest = text] = ABOUT_LINE.exec(text) ?? [];
      return html`<li><strong>${name}</strong> <span class="state">${email} · ${dateAndTimeText(visit, receivedAt)}</span>
${about !== "" && html`<p>${t.about} ${isOnSite(about, parts.origin) ? html`<a href="${about}">${about}</a>` : about}</p>\n`}<p class="text">${rest}</p>
<div class="actions"><a class="button quiet" href="mailto:${encodeURIComponent(email)}">${t.answer}</a>${actionForm(visit, `${SCREEN_PATH}/${id}`, { button: isNew ? t.handled : t.reopen, hidden: { state: isNew ? "handled" : "new" }, isQuiet: !isNew })}${actionForm(visit, `${SCREEN_PATH}/${id}/remove`, { button: t.remove, isQuiet: true })}</div></li>\n`;
    });
    const last = messages.length === MESSAGES_PER_PAGE ? messages.at(-1) : undefined;
    const content = html`${cardList(cards, t.none)}${nextPageLink(texts, last === undefined ? null : `${SCREEN_PATH}?before=${last.id}`)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

const mark: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}`,
  scope: "requests:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const state = form.value("state") === "handled" ? "handled" : "new";
    await parts.atomically(({ messages }) =>
      setMessageState(messages, signedIn.actor, pathParameter("id"), { state, now, requestId }),
    );
    return redirectResponse(SCREEN_PATH);
  },
};

const remove: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/remove`,
  scope: "requests:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    await parts.atomically((stores) =>
      removeMessage(stores, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(SCREEN_PATH);
  },
};

export const messageScreens: readonly Screen[] = [list, mark, remove];
