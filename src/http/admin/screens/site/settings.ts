import { toLanguageTag } from "../../../../content/lists/language-tags.ts";
import {
  countItemsInLanguage,
  isLanguageChange,
  relabelItemsToMainLanguage,
} from "../../../../content/site/main-language.ts";
import { changeSettings, readSettings } from "../../../../content/site/settings.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { SITE_TEXT_LANGUAGES } from "../../../../texts/site/site-texts.ts";
import { redirectAfterSave, redirectResponse } from "../../page.ts";
import { DESK_PATH } from "../../sign-in.ts";
import { languageName, numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import { nonEmptyLines } from "../frame/non-empty-lines.ts";
import { optionElement } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { licenceFields, licenceFromForm } from "./profile-fields.ts";

const SCREEN_PATH = "/admin/settings";
export const TIME_ZONE_PATH = `${SCREEN_PATH}/time-zone`;
const TIME_ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")].map(
  (name) => html`<option value="${name}"></option>`,
);

const show: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer(visit) {
    const { texts, parts, signedIn } = visit;
    const t = texts.settings;
    const { profile } = await readSettings(parts.stores.content, signedIn.actor);
    const fields: readonly (readonly [name: string, label: string, control: SafeHtml])[] = [
      ["name", t.name, html`<input id="name" name="name" value="${profile.name}" required>`],
      [
        "description",
        t.description,
        html`<textarea id="description" name="description" rows="3" required>\n${profile.description}</textarea>`,
      ],
      [
        "language",
        t.language,
        html`<p class="hint">${t.languageHint}</p><input id="language" name="language" list="languages" value="${profile.language}" autocomplete="off" required><datalist id="languages">${languageOptions(texts)}</datalist>`,
      ],
      [
        "timeZone",
        t.timeZone,
        html`<p class="hint">${t.timeZoneHint}</p><input id="timeZone" name="timeZone" list="time-zones" value="${profile.timeZone}" autocomplete="off" required><datalist id="time-zones">${TIME_ZONES}</datalist>`,
      ],
      [
        "email",
        t.email,
        html`<input id="email" name="email" type="email" value="${profile.contact.email}" required>`,
      ],
      [
        "whenToUse",
        t.whenToUse,
        html`<p class="hint">${t.whenToUseHint}</p><textarea id="whenToUse" name="whenToUse" rows="5" required>\n${profile.whenToUse.join("\n")}</textarea>`,
      ],
    ];
    const retentionFields = [
      ["messageDays", t.messageDays, 30, 3650],
      ["statisticsDays", t.statisticsDays, 1, 400],
    ] as const;
    const retention = html`<fieldset class="field"><legend>${t.retention}</legend><p class="hint">${t.retentionHint}</p>
${retentionFields.map(([name, label, min, max]) => html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="number" min="${min}" max="${max}" value="${profile.retention[name]}" required></div>\n`)}</fieldset>`;
    const content = html`${fields.map(([name, label, control]) => html`<div class="field"><label for="${name}">${label}</label>${control}</div>\n`)}${licenceFields(profile.licence, texts)}${retention}`;
    const form = actionForm(visit, SCREEN_PATH, { button: t.save, content });
    const all = html`${await relabelForm(visit)}${visibilityForm(visit, profile.hidden)}${form}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content: all });
  },
};

const save: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const patch = {
      name: form.value("name"),
      description: form.value("description"),
      language: toLanguageTag(form.value("language")) ?? form.value("language"),
      timeZone: form.value("timeZone"),
      contact: { email: form.value("email") },
      whenToUse: nonEmptyLines(form.value("whenToUse")),
      licence: licenceFromForm(form),
      retention: {
        messageDays: Number(form.value("messageDays")),
        statisticsDays: Number(form.value("statisticsDays")),
      },
    };
    const { language: former } = parts.reading.site();
    await parts.atomically(({ content }) =>
      changeSettings(content, signedIn.actor, patch, { now, requestId }),
    );
    if (!isLanguageChange(former, patch.language)) return redirectAfterSave(SCREEN_PATH);
    return redirectResponse(`${SCREEN_PATH}?saved=true&former=${encodeURIComponent(former)}`);
  },
};

/**
 * After the main language was corrected, moves items from the former main language to the new one.
 */
const relabel: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/language`,
  scope: "settings:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const from = form.value("from");
    await parts.atomically((stores) =>
      relabelItemsToMainLanguage(stores, signedIn.actor, { from, now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}?saved=true&former=${encodeURIComponent(from)}`);
  },
};

/** Sets the time zone that was entered under "first steps" on the start page. */
const setTimeZone: Screen = {
  method: "POST",
  path: TIME_ZONE_PATH,
  scope: "settings:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const patch = { timeZone: form.value("timeZone") };
    await parts.atomically(({ content }) =>
      changeSettings(content, signedIn.actor, patch, { now, requestId }),
    );
    return redirectResponse(DESK_PATH);
  },
};

/** Opens the site to visitors, or hides it from them. */
const setVisibility: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/visibility`,
  scope: "settings:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const patch = { hidden: form.value("hidden") === "yes" };
    await parts.atomically(({ content }) =>
      changeSettings(content, signedIn.actor, patch, { now, requestId }),
    );
    return redirectResponse(SCREEN_PATH);
  },
};

export const settingsScreens: readonly Screen[] = [show, save, relabel, setTimeZone, setVisibility];

/**
 * The form that moves items from the former main language to the new one. Null: no item has to be moved.
 */
async function relabelForm(visit: ScreenVisit): Promise<SafeHtml | null> {
  const { texts, parts, signedIn, query } = visit;
  const from = query.get("former") ?? "";
  const { language, languages } = parts.reading.site();
  if (from === "" || from === language || languages.includes(from)) return null;
  const count = await countItemsInLanguage(parts.stores, signedIn.actor, from);
  if (count === 0) return null;
  const t = texts.settings;
  const [former, main] = [languageName(from, texts), languageName(language, texts)];
  const form = actionForm(visit, `${SCREEN_PATH}/language`, {
    button: t.relabel(main),
    hidden: { from },
  });
  return html`<div class="notes"><p>${t.otherLanguage(numberText(texts, count), former)}</p>\n${form}</div>\n`;
}

function languageOptions(texts: Texts): SafeHtml[] {
  return SITE_TEXT_LANGUAGES.map((tag) => optionElement(tag, languageName(tag, texts), false));
}

function visibilityForm(visit: ScreenVisit, isHidden: boolean): SafeHtml {
  const t = visit.texts.settings;
  const form = actionForm(visit, `${SCREEN_PATH}/visibility`, {
    button: isHidden ? t.open : t.hide,
    hidden: { hidden: isHidden ? "no" : "yes" },
    isQuiet: !isHidden,
    content: html`<p class="hint">${isHidden ? t.hiddenHint : t.openHint}</p>`,
  });
  return html`<p><span class="tag ${isHidden ? "draft" : "published"}">${isHidden ? t.isHidden : t.isOpen}</span></p>
<div class="actions">${form}</div>\n`;
}
