import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { translateConnectionError } from "../../../../webhooks/connection-errors.ts";
import { listDeliveries, pingWebhook, retryDelivery } from "../../../../webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  inspectWebhook,
  listWebhooks,
  rotateWebhookSecret,
  webhookInputSchema,
} from "../../../../webhooks/managing.ts";
import type { Delivery, Webhook } from "../../../../webhooks/webhook.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText, messageInAllLanguages } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { parseWholeNumber } from "../frame/whole-number.ts";

const SCREEN_PATH = "/admin/webhooks";
const ENTRIES_PER_PAGE = 50;

const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "webhooks:manage",
  async answer(visit) {
    const { texts, parts, signedIn } = visit;
    const t = texts.webhooks;
    const { items } = await listWebhooks(parts.stores.webhooks, signedIn.actor, {
      limit: ENTRIES_PER_PAGE,
    });
    const cards = items.map(
      (
        webhook,
      ) => html`<li><a href="${SCREEN_PATH}/${webhook.id}">${webhook.url}</a> ${stateTag(visit, webhook)}
<div class="state">${eventsText(texts, webhook)}${webhook.description !== "" && ` · ${webhook.description}`}</div></li>\n`,
    );
    const fields = html`<div class="field"><label for="url">${t.url}</label><input id="url" name="url" type="url" required></div><div class="field"><label for="events">${t.events}</label><p class="hint">${t.eventsHint}</p><input id="events" name="events" value="content.*" required></div><div class="field"><label for="description">${t.description}</label><input id="description" name="description" maxlength="200"></div>`;
    const content = html`<p class="hint">${t.hint}</p>
${cardList(cards, t.none)}<h2>${t.add}</h2>
${actionForm(visit, SCREEN_PATH, { button: t.add, content: fields })}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

const create: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "webhooks:manage",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const entered = {
      url: form.value("url").trim(),
      events: form
        .value("events")
        .split(/[\s,]+/)
        .filter(Boolean),
      description: form.value("description"),
    };
    const input = webhookInputSchema.safeParse(entered);
    if (!input.success)
      throw new AppError(
        "invalid",
        messageInAllLanguages(({ webhooks }) => webhooks.eventsFault),
      );
    const options = { now, requestId, privateNetworks: parts.webhookPrivateNetworks };
    const { webhook, secret } = await parts.atomically(({ webhooks }) =>
      createWebhook(webhooks, signedIn.actor, input.data, options),
    );
    return secretResponse(visit, { id: webhook.id, title: webhook.url, secret });
  },
};

const webhookScreen: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}`,
  scope: "webhooks:manage",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.webhooks;
    const { webhooks } = parts.stores;
    const webhook = await inspectWebhook(webhooks, signedIn.actor, visit.pathParameter("id"));
    const cursor = query.get("cursor");
    const { items, nextCursor } = await listDeliveries(webhooks, signedIn.actor, webhook.id, {
      limit: ENTRIES_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const path = `${SCREEN_PATH}/${webhook.id}`;
    const isOn = webhook.state === "enabled";
    const actions = html`<div class="actions">${actionForm(visit, `${path}/test`, { button: t.test })}${actionForm(visit, `${path}/state`, { button: isOn ? t.disable : t.enable, hidden: { state: isOn ? "disabled" : "enabled" }, isQuiet: true })}${actionForm(visit, `${path}/secret`, { button: t.rotate, isQuiet: true })}${actionForm(visit, `${path}/remove`, { button: t.remove, isQuiet: true })}</div>\n`;
    const rows = items.map((delivery) => deliveryCard(visit, webhook, delivery));
    const content = html`<p>${stateTag(visit, webhook)} <span class="state">${eventsText(texts, webhook)}</span></p>
${webhook.disabledWhy !== null && html`<p class="notes">${webhook.disabledWhy}</p>\n`}${actions}<h2>${t.deliveries}</h2>
${cardList(rows, t.noDeliveries)}${nextPageLink(texts, nextCursor === null ? null : `${path}?cursor=${nextCursor}`)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: webhook.url, content });
  },
};

const state: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/state`,
  scope: "webhooks:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const next = form.value("state") === "enabled" ? "enabled" : "disabled";
    const privateNetworks = parts.webhookPrivateNetworks;
    const options = { changes: { state: next }, now, requestId, privateNetworks } as const;
    await parts.atomically(({ webhooks }) =>
      changeWebhook(webhooks, signedIn.actor, pathParameter("id"), options),
    );
    return redirectResponse(`${SCREEN_PATH}/${pathParameter("id")}`);
  },
};

const secret: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/secret`,
  scope: "webhooks:manage",
  async answer(visit) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const rotated = await parts.atomically(({ webhooks }) =>
      rotateWebhookSecret(webhooks, signedIn.actor, id, { now, requestId }),
    );
    return secretResponse(visit, {
      id,
      title: visit.texts.webhooks.rotate,
      secret: rotated.secret,
    });
  },
};

const test: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/test`,
  scope: "webhooks:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    await parts.atomically(({ webhooks }) =>
      pingWebhook(webhooks, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${pathParameter("id")}`);
  },
};

const retry: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/retry`,
  scope: "webhooks:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const delivery = { id: pathParameter("id"), number: parseWholeNumber(form.value("number")) };
    await parts.atomically(({ webhooks }) =>
      retryDelivery(webhooks, signedIn.actor, delivery, { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${pathParameter("id")}`);
  },
};

const remove: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/remove`,
  scope: "webhooks:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    await parts.atomically(({ webhooks }) =>
      deleteWebhook(webhooks, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(SCREEN_PATH);
  },
};

export const webhookScreens: readonly Screen[] = [
  list,
  create,
  webhookScreen,
  state,
  secret,
  test,
  retry,
  remove,
];

function stateTag({ texts }: ScreenVisit, { state: webhookState, failures }: Webhook): SafeHtml {
  const name = webhookState === "enabled" ? "active" : "revoked";
  const failing = failures > 0 && ` · ${texts.webhooks.failing(String(failures))}`;
  return html`<span class="tag ${name}">${texts.webhooks.states[webhookState]}</span>${failing}`;
}

function eventsText(texts: Texts, { events }: Webhook): string {
  return events.map((pattern) => eventText(texts, pattern)).join(", ");
}

/** An event, or a pattern such as `content.*`, in words. An event without a text is shown as its code. */
function eventText({ actions, webhooks: { every, ping } }: Texts, pattern: string): string {
  const eventTexts: Readonly<Record<string, string>> = { ...actions, ...every, ping };
  return eventTexts[pattern] ?? pattern;
}

function deliveryCard(
  visit: ScreenVisit,
  { id }: Webhook,
  { number, event, state: outcome, attempts, last, createdAt }: Delivery,
): SafeHtml {
  const t = visit.texts.webhooks;
  const result =
    last === null
      ? ""
      : ` · ${last.error === null ? last.status : translateConnectionError(last.error)[visit.texts.language]} (${last.milliseconds} ms)`;
  const retryForm =
    outcome !== "waiting" &&
    actionForm(visit, `${SCREEN_PATH}/${id}/retry`, {
      button: t.retry,
      hidden: { number },
      isQuiet: true,
    });
  return html`<li><strong>${eventText(visit.texts, event)}</strong> <span class="tag ${outcome === "failed" ? "revoked" : "active"}">${t.outcomes[outcome]}</span>
<div class="state">${dateAndTimeText(visit, createdAt)} · ${t.attempts(String(attempts))}${result}</div>${retryForm}</li>\n`;
}

/** Shows a new secret, which cannot be shown again. */
function secretResponse(
  visit: ScreenVisit,
  { id, title, secret: shown }: { id: string; title: string; secret: string },
): HttpResponse {
  const t = visit.texts.webhooks;
  const content = html`<p>${t.secretOnce}</p>\n<p class="code">${shown}</p>\n<p><a href="${SCREEN_PATH}/${id}">${visit.texts.lead}</a></p>\n`;
  return screenResponse({ ...visit, url: SCREEN_PATH }, { title, content });
}
