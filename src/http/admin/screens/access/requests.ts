import {
  approveKeyRequest,
  readCurrentKeyTerms,
} from "../../../../access/submissions/key-approvals.ts";
import { declineKeyRequest } from "../../../../access/submissions/key-decisions.ts";
import {
  type KeyRequest,
  type KeyTerms,
  readKeyRequest,
} from "../../../../access/submissions/key-requests.ts";
import { listSubmissions } from "../../../../access/submissions/submissions.ts";
import { KEY_CLAIM_PATH } from "../../../../content/pages/contact-forms.ts";
import { dayInZone } from "../../../../content/site/time-zone.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { parseKeyExpiry } from "./key-terms.ts";

const SCREEN_PATH = "/admin/requests";
const REQUESTS_PER_PAGE = 50;

const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "requests:manage",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const options = { state: null, before: query.get("before"), limit: REQUESTS_PER_PAGE };
    const requests = await listSubmissions(parts.stores.keyRequests, signedIn.actor, options);
    const cards = requests.map(
      ({ id, name, organisation, task, state, receivedAt }) =>
        html`<li><a href="${SCREEN_PATH}/${id}">${name}</a> <span class="tag">${texts.requests.states[state]}</span>
<div class="state">${organisation !== "" && `${organisation} · `}${dateAndTimeText(visit, receivedAt)}</div><p>${task}</p></li>\n`,
    );
    const last = requests.length === REQUESTS_PER_PAGE ? requests.at(-1) : undefined;
    const content = html`${cardList(cards, texts.requests.none)}${nextPageLink(texts, last === undefined ? null : `${SCREEN_PATH}?before=${last.id}`)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: texts.requests.title, content });
  },
};

const requestScreen: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}`,
  scope: "requests:manage",
  async answer(visit) {
    const { parts, signedIn } = visit;
    const id = visit.pathParameter("id");
    const request = await readKeyRequest(parts.stores.keyRequests, signedIn.actor, id);
    const canDecide = request.erasedAt === null;
    const terms = await readCurrentKeyTerms(parts.stores, request);
    const content = html`${requestFacts(visit, request)}${canDecide && decisions(visit, request, terms)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: request.name, content });
  },
};

const approve: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/approve`,
  scope: "requests:manage",
  async answer(visit, form) {
    const { texts, parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const terms = {
      ratePerMinute: Number(form.value("rate")),
      expiresAt: parseKeyExpiry(visit.timeZone, form.value("expires"))?.toISOString() ?? null,
    };
    const { origin, sendsMail } = parts;
    const { request, code } = await parts.atomically((stores) =>
      approveKeyRequest(stores, signedIn.actor, id, { terms, now, requestId, origin, sendsMail }),
    );
    const content =
      code === null
        ? html`<p>${texts.requests.mailed}</p>\n`
        : html`<p>${texts.requests.code} <a href="${KEY_CLAIM_PATH}">${origin}${KEY_CLAIM_PATH}</a></p>\n<p class="code">${code}</p>\n`;
    const back = html`<p><a href="${SCREEN_PATH}">${texts.lead}</a></p>\n`;
    return screenResponse(
      { ...visit, url: SCREEN_PATH },
      { title: request.name, content: html`${content}${back}` },
    );
  },
};

const decline: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/decline`,
  scope: "requests:manage",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const { origin, sendsMail } = parts;
    const reason = form.value("reason");
    await parts.atomically((stores) =>
      declineKeyRequest(stores, signedIn.actor, id, { reason, now, requestId, origin, sendsMail }),
    );
    return redirectResponse(`${SCREEN_PATH}/${id}`);
  },
};

export const keyRequestScreens: readonly Screen[] = [list, requestScreen, approve, decline];

function requestFacts(visit: ScreenVisit, request: KeyRequest): SafeHtml {
  const t = visit.texts.requests;
  const facts = [
    [t.from, [request.name, request.organisation].filter((part) => part !== "").join(", ")],
    [t.email, request.email],
    [t.task, request.task],
    [t.data, request.data],
    [t.access, t.accesses[request.access]],
    [t.received, dateAndTimeText(visit, request.receivedAt)],
    [t.state, t.states[request.state]],
    [t.declinedWhy, request.reason ?? ""],
  ];
  const filledFacts = facts.filter(([, value]) => value !== "");
  return html`<dl>${filledFacts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>\n`;
}

/**
 * The form that approves a request and sets the terms of the key, and the form that declines the request. A
 * request that is already declined can only be approved.
 */
function decisions(
  visit: ScreenVisit,
  request: KeyRequest,
  { ratePerMinute, expiresAt }: KeyTerms,
): SafeHtml {
  const t = visit.texts.requests;
  const path = `${SCREEN_PATH}/${request.id}`;
  const lastDay = expiresAt === null ? "" : dayInZone(visit.timeZone, expiresAt);
  const terms = html`<p class="hint">${t.approveHint}</p><div class="field"><label for="rate">${t.rate}</label><input id="rate" name="rate" type="number" min="1" value="${ratePerMinute}" required></div><div class="field"><label for="expires">${t.expires}</label><p class="hint">${t.expiresHint}</p><input id="expires" name="expires" type="date" value="${lastDay}"></div>`;
  const reason = html`<div class="field"><label for="reason">${t.reason}</label><textarea id="reason" name="reason" rows="3" required></textarea></div>`;
  const isDeclined = request.state === "declined";
  const approveForm = actionForm(visit, `${path}/approve`, {
    button: t.approve,
    content: terms,
    isQuiet: isDeclined,
  });
  if (isDeclined) return html`<h2>${t.approveAfterAll}</h2>\n${approveForm}`;
  return html`<h2>${t.approve}</h2>
${approveForm}<h2>${t.decline}</h2>
${actionForm(visit, `${path}/decline`, { button: t.decline, content: reason, isQuiet: true })}`;
}
