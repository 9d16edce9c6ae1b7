import { SPLAT_PLACEHOLDER } from "../../../../content/addresses/address-patterns.ts";
import { formatRedirectTarget } from "../../../../content/addresses/redirect-addresses.ts";
import { listRedirects } from "../../../../content/addresses/redirect-listing.ts";
import { addMissingRedirects } from "../../../../content/addresses/redirect-lists.ts";
import { addRedirect, removeRedirect } from "../../../../content/addresses/redirects.ts";
import { readPastedRedirects } from "../../../../content/import/redirects/redirect-list.ts";
import { findDocument } from "../../../../discovery/documents.ts";
import { AppError } from "../../../../errors.ts";
import { html } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen } from "../frame/screen.ts";
import { OLD_ADDRESSES_PATH } from "./old-addresses.ts";

const SCREEN_PATH = "/admin/redirects";
const REDIRECTS_PER_PAGE = 50;
/**
 * Maximum number of redirects that can be pasted at once, because one transaction adds them all.
 * Longer lists are imported as files.
 */
const PASTED_MAX = 1000;

/** Lists redirects and their targets, with forms that add redirects. */
const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.redirects;
    const cursor = query.get("cursor");
    const { redirects, nextCursor } = await listRedirects(parts.stores.desk, signedIn.actor, {
      limit: REDIRECTS_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const mayChange = signedIn.actor.scopes.includes("content:publish");
    const cards = redirects.map(({ id, from, to, item, createdAt }) => {
      const target = formatRedirectTarget(to) ?? item?.path ?? "";
      const remove =
        mayChange &&
        actionForm(visit, `${SCREEN_PATH}/${id}/remove`, { button: t.remove, isQuiet: true });
      const label = to === null ? t.gone : (item?.title ?? target);
      const isPage = to !== null && !target.includes(SPLAT_PLACEHOLDER);
      const link = isPage ? html`<a href="${target}">${label}</a>` : label;
      return html`<li><strong>${from}</strong> → ${link}
<div class="state">${target !== "" && html`${target} · `}${dateAndTimeText(visit, createdAt)}</div>${remove}</li>\n`;
    });
    const fields = html`<div class="field"><label for="from">${t.from}</label><p class="hint">${t.fromHint}</p><input id="from" name="from" value="${query.get("from") ?? ""}" required maxlength="2000"></div><div class="field"><label for="to">${t.to}</label><p class="hint">${t.toHint}</p><input id="to" name="to" maxlength="2000"></div>`;
    const severalField = html`<div class="field"><label for="list">${t.several}</label><p class="hint">${t.severalHint}</p><textarea id="list" name="list" rows="8" required></textarea></div>`;
    const content = html`<p class="hint">${t.hint}</p>
${mayChange && actionForm(visit, SCREEN_PATH, { button: t.add, content: fields })}${
  mayChange &&
  html`<details><summary>${t.several}</summary>${actionForm(visit, `${SCREEN_PATH}/list`, { button: t.severalAdd, content: severalField })}</details>
`
}${mayChange && html`<p><a class="button quiet" href="${OLD_ADDRESSES_PATH}">${texts.oldAddresses.title}</a></p>\n`}<h2>${t.present}</h2>
${cardList(cards, t.none)}${nextPageLink(texts, nextCursor === null ? null : `${SCREEN_PATH}?cursor=${nextCursor}`)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

const add: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "content:publish",
  async answer({ parts, signedIn, now, requestId }, form) {
    const input = { from: form.value("from").trim(), to: form.value("to").trim() || null };
    const isDocument = (path: string) => findDocument(path) !== null;
    await parts.atomically(({ content }) =>
      addRedirect(content, signedIn.actor, input, {
        now,
        requestId,
        origin: parts.origin,
        isDocument,
      }),
    );
    return redirectResponse(SCREEN_PATH);
  },
};

const addSeveral: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/list`,
  scope: "content:publish",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId, texts } = visit;
    const t = texts.redirects;
    const { rules, unused } = readPastedRedirects(form.value("list"));
    if (rules.length > PASTED_MAX) {
      throw new AppError("invalid", {
        en: `A pasted list has at most ${PASTED_MAX} redirects`,
        de: `Eine eingefügte Liste hat höchstens ${PASTED_MAX} Weiterleitungen`,
      });
    }
    const isDocument = (path: string) => findDocument(path) !== null;
    const options = { now, requestId, origin: parts.origin, isDocument };
    const counts = { created: 0, unchanged: 0, skipped: 0, failed: 0 };
    const lines = unused.map(({ line, reason }) => t.severalLine(line, reason[texts.language]));
    for (const { losesRedirect } of unused) counts[losesRedirect ? "failed" : "skipped"] += 1;
    const outcomes = await parts.atomically(({ content }) =>
      addMissingRedirects(content, signedIn.actor, rules, options),
    );
    for (const [index, saved] of outcomes.entries()) {
      counts[saved.outcome] += 1;
      if ("reason" in saved)
        lines.push(t.severalLine(rules[index]?.line ?? 0, saved.reason[texts.language]));
    }
    const { created, unchanged, skipped, failed } = counts;
    const items = lines.map((line) => html`<li>${line}</li>\n`);
    const content = html`<p>${t.severalCounts(created, unchanged, skipped, failed)}</p>
${items.length > 0 && html`<ul>\n${items}</ul>\n`}<p><a class="button quiet" href="${SCREEN_PATH}">${t.back}</a></p>`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.severalDone, content });
  },
};

const remove: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/remove`,
  scope: "content:publish",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    await parts.atomically(({ content }) =>
      removeRedirect(content, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(SCREEN_PATH);
  },
};

export const redirectScreens: readonly Screen[] = [list, add, addSeveral, remove];
