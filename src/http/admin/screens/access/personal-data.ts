import { requireScope } from "../../../../access/actor.ts";
import { erasePersonalData } from "../../../../access/personal-data/erasing.ts";
import {
  exportPersonalData,
  hasNoPersonalData,
  personEmailSchema,
  type StoredPersonalData,
} from "../../../../access/personal-data/stored-data.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import { messageInAllLanguages } from "../../texts/choose.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/personal-data";
const EXPORT_PATH = `${SCREEN_PATH}/export`;
const ERASE_PATH = `${SCREEN_PATH}/erase`;

const searchForm: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "admins:manage",
  async answer(visit) {
    requireScope(visit.signedIn.actor, "admins:manage");
    const t = visit.texts.personalData;
    const fields = html`<div class="field"><label for="email">${t.email}</label><input id="email" name="email" type="email" required></div>`;
    const content = html`<p class="hint">${t.hint}</p>
${actionForm(visit, SCREEN_PATH, { button: t.find, content: fields })}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

/**
 * Shows a person's data. Uses POST, so that the e-mail address appears in no log or browser history.
 */
const show: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "admins:manage",
  async answer(visit, form) {
    const data = await dataOfEnteredPerson(visit, form);
    const t = visit.texts.personalData;
    const content = html`<h2>${t.kept}</h2>
${hasNoPersonalData(data) ? html`<p>${t.nothing}</p>\n` : foundHtml(visit, data)}${data.isSiteContact && html`<p>${t.siteContact}</p>\n`}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

const download: Screen = {
  method: "POST",
  path: EXPORT_PATH,
  scope: "admins:manage",
  async answer(visit, form) {
    const data = await dataOfEnteredPerson(visit, form);
    const headers = {
      ...ADMIN_HEADERS,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="personal-data.json"',
    };
    return responseWithContentLength(200, headers, `${JSON.stringify(data, null, 2)}\n`);
  },
};

const erase: Screen = {
  method: "POST",
  path: ERASE_PATH,
  scope: "admins:manage",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId, texts } = visit;
    requireScope(signedIn.actor, "admins:manage");
    const t = texts.personalData;
    const email = readEmail(form.value("email"));
    if (readEmail(form.value("again")) !== email)
      throw new AppError(
        "invalid",
        messageInAllLanguages(({ personalData }) => personalData.differs),
      );
    await parts.atomically((stores) =>
      erasePersonalData(stores, signedIn.actor, email, { now, requestId }),
    );
    const content = html`<p>${t.erasedHint}</p>\n`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.erased, content });
  },
};

export const personalDataScreens: readonly Screen[] = [searchForm, show, download, erase];

async function dataOfEnteredPerson(
  { parts, signedIn, now, requestId }: ScreenVisit,
  form: SentForm,
): Promise<StoredPersonalData> {
  requireScope(signedIn.actor, "admins:manage");
  const email = readEmail(form.value("email"));
  return await parts.atomically((stores) =>
    exportPersonalData(stores, signedIn.actor, email, { now, requestId }),
  );
}

function readEmail(text: string): string {
  const email = personEmailSchema.safeParse(text);
  if (email.success) return email.data;
  throw new AppError("invalid", {
    en: "Give an e-mail address, as name@example.org",
    de: "Geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.org",
  });
}

function foundHtml(visit: ScreenVisit, data: StoredPersonalData): SafeHtml {
  const t = visit.texts.personalData;
  const lines = [
    data.messages.length > 0 && t.messages(String(data.messages.length)),
    data.keyRequests.length > 0 && t.keyRequests(String(data.keyRequests.length)),
    data.keys.length > 0 && t.keys(String(data.keys.length)),
    data.mails.length > 0 && t.mails(String(data.mails.length)),
    data.account !== null && t.account(visit.texts.people.roles[data.account.role]),
  ];
  const hidden = { email: data.email };
  const eraseFields = html`<p class="hint">${t.eraseHint}</p><div class="field"><label for="again">${t.again}</label><input id="again" name="again" type="email" required autocomplete="off"></div>`;
  return html`<ul>
${lines.map((line) => line !== false && html`<li>${line}</li>\n`)}</ul>
${actionForm(visit, EXPORT_PATH, { button: t.download, hidden })}<h2>${t.erase}</h2>
${actionForm(visit, ERASE_PATH, { button: t.erase, hidden, content: eraseFields, isQuiet: true })}`;
}
