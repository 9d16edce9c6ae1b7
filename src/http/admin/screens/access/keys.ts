import { revokeKey, rotateKey } from "../../../../access/keys/key-changes.ts";
import { listKeys, toKeyWithStatus } from "../../../../access/keys/key-lists.ts";
import { issueKey } from "../../../../access/keys/keys.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { parseKeyExpiry } from "./key-terms.ts";
import { renderNewKeyInstructions } from "./new-key.ts";
import { keyPermissionsHtml } from "./scope-list.ts";

const SCREEN_PATH = "/admin/keys";
const KEYS_PER_PAGE = 50;
const RATE_DEFAULT = 60;
/**
 * The default scopes of keys issued on this screen. These keys are for agents; the command line
 * issues keys with other scopes.
 */
const DEFAULT_SCOPES = ["mcp:read"] as const;
const GRACE_SECONDS = 24 * 60 * 60;

const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "keys:manage",
  async answer(visit) {
    const { texts, parts, signedIn, now, query } = visit;
    const after = query.get("after");
    const options = { limit: KEYS_PER_PAGE, ...(after === null ? {} : { after }) };
    const { keys, hasMore } = await listKeys(parts.stores.keys, signedIn.actor, options, now);
    const last = hasMore ? keys.at(-1) : undefined;
    const cards = keys.map((key) => keyCard(visit, toKeyWithStatus(key, now)));
    const content = html`${cardList(cards, texts.keys.none)}${nextPageLink(texts, last === undefined ? null : `${SCREEN_PATH}?after=${last.id}`)}<h2>${texts.keys.issue}</h2>
${issueForm(visit)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: texts.keys.title, content });
  },
};

const issue: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "keys:manage",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const end = parseKeyExpiry(visit.timeZone, form.value("expires"));
    const input = {
      name: form.value("name"),
      owner: form.value("holder"),
      scopes: DEFAULT_SCOPES,
      ratePerMinute: Number(form.value("rate")),
      ...(end === null ? {} : { expiresAt: end }),
    };
    const { key, record } = await parts.atomically(({ keys }) =>
      issueKey(keys, signedIn.actor, input, now, { requestId }),
    );
    return renderNewKeyInstructions(visit, key, record);
  },
};

const rotate: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/rotate`,
  scope: "keys:manage",
  async answer(visit) {
    const { parts, signedIn, now, requestId } = visit;
    const options = { graceSeconds: GRACE_SECONDS, now, requestId };
    const { key, record } = await parts.atomically(({ keys }) =>
      rotateKey(keys, signedIn.actor, visit.pathParameter("id"), options),
    );
    return renderNewKeyInstructions(visit, key, record);
  },
};

const revoke: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/revoke`,
  scope: "keys:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    await parts.atomically(({ keys }) =>
      revokeKey(keys, signedIn.actor, pathParameter("id"), { why: "", now, requestId }),
    );
    return redirectResponse(SCREEN_PATH);
  },
};

export const keyScreens: readonly Screen[] = [list, issue, rotate, revoke];

function keyCard(visit: ScreenVisit, key: ReturnType<typeof toKeyWithStatus>): SafeHtml {
  const t = visit.texts.keys;
  const used = key.lastUsedAt === null ? t.never : dateAndTimeText(visit, key.lastUsedAt);
  const isActive = key.status === "active";
  const issued = `${t.issued}: ${dateAndTimeText(visit, key.createdAt)}`;
  const end = key.expiresAt !== null && ` · ${t.ends}: ${dateAndTimeText(visit, key.expiresAt)}`;
  return html`<li><strong>${key.name}</strong> <span class="tag ${key.status}">${t.states[key.status]}</span>
<div class="state">${key.owner !== "" && `${key.owner} · `}${issued} · ${t.used}: ${used}${end}</div>
${keyPermissionsHtml(visit.texts, key.scopes)}${isActive && html`<p class="hint">${t.rotateHint}</p>\n<div class="actions">${actionForm(visit, `${SCREEN_PATH}/${key.id}/rotate`, { button: t.rotate, isQuiet: true })}${actionForm(visit, `${SCREEN_PATH}/${key.id}/revoke`, { button: t.revoke, isQuiet: true })}</div>`}</li>\n`;
}

function issueForm(visit: ScreenVisit): SafeHtml {
  const t = visit.texts.keys;
  const content = html`<div class="field"><label for="name">${t.name}</label><input id="name" name="name" required maxlength="100"></div><div class="field"><label for="holder">${t.holder}</label><input id="holder" name="holder" maxlength="200"></div><div class="field"><label for="rate">${t.rate}</label><input id="rate" name="rate" type="number" min="1" value="${RATE_DEFAULT}" required></div><div class="field"><label for="expires">${t.expires}</label><input id="expires" name="expires" type="date"></div>${keyPermissionsHtml(visit.texts, DEFAULT_SCOPES)}`;
  return actionForm(visit, SCREEN_PATH, { button: t.issue, content });
}
