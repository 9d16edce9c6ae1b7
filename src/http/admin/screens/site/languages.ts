import { toLanguageTag } from "../../../../content/lists/language-tags.ts";
import { editionsOf } from "../../../../content/site/editions.ts";
import { MARKDOWN_SLOTS } from "../../../../content/site/look/look.ts";
import { changeSettings, readSettings } from "../../../../content/site/settings.ts";
import type { SiteProfile, TranslatedProfile } from "../../../../content/site/site.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { SITE_TEXT_LANGUAGES } from "../../../../texts/site/site-texts.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { redirectAfterSave } from "../../page.ts";
import { languageName } from "../../texts/choose.ts";
import { formField } from "../frame/field.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import { nonEmptyLines } from "../frame/non-empty-lines.ts";
import { optionElement } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { licenceFields, licenceFromForm } from "./profile-fields.ts";

const SCREEN_PATH = "/admin/languages";
const ADD_PATH = `${SCREEN_PATH}/add`;
const REMOVE_PATH = `${SCREEN_PATH}/remove`;

const show: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer(visit) {
    const { texts, parts, signedIn } = visit;
    const t = texts.languages;
    const { profile } = await readSettings(parts.stores.content, signedIn.actor);
    const [main, ...others] = editionsOf(parts.reading).map(({ language }) => language);
    const variants = profile.languages.filter((tag) => tag !== main && !others.includes(tag));
    const content = html`<p class="hint">${t.about}</p>
<p>${t.main(languageName(profile.language, texts))} <a href="/admin/settings">${texts.nav.settings}</a></p>
${others.map((language) => languageSection(visit, profile, language))}${variants.map((tag) => variantSection(visit, tag))}${addForm(visit, profile)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

/** Saves the texts of one language. If a text is empty, the site uses the text of the main language. */
const save: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const language = form.value("language");
    await parts.atomically(async ({ content }) => {
      const { profile } = await readSettings(content, signedIn.actor);
      const translation = translationIn(form, language, profile.translations[language] ?? {});
      const patch = { translations: { [language]: translation } };
      await changeSettings(content, signedIn.actor, patch, { now, requestId });
    });
    return redirectAfterSave(SCREEN_PATH);
  },
};

const add: Screen = {
  method: "POST",
  path: ADD_PATH,
  scope: "settings:write",
  async answer(visit, form) {
    const typed = form.value("added").trim();
    const added = toLanguageTag(typed) ?? typed;
    await changeLanguages(visit, (languages) => [...new Set([...languages, added])]);
    return redirectAfterSave(SCREEN_PATH);
  },
};

/** Removes a language of the site, but not its texts, in case the language is added again. */
const remove: Screen = {
  method: "POST",
  path: REMOVE_PATH,
  scope: "settings:write",
  async answer(visit, form) {
    const removed = form.value("language");
    await changeLanguages(visit, (languages) => languages.filter((each) => each !== removed));
    return redirectAfterSave(SCREEN_PATH);
  },
};

export const languageScreens: readonly Screen[] = [show, save, add, remove];

async function changeLanguages(
  { parts, signedIn, now, requestId }: ScreenVisit,
  changed: (languages: readonly string[]) => readonly string[],
): Promise<void> {
  await parts.atomically(async ({ content }) => {
    const { profile } = await readSettings(content, signedIn.actor);
    const patch = { languages: changed(profile.languages) };
    await changeSettings(content, signedIn.actor, patch, { now, requestId });
  });
}

function addForm(visit: ScreenVisit, { language, languages }: SiteProfile): SafeHtml {
  const { texts } = visit;
  const t = texts.languages;
  const known = SITE_TEXT_LANGUAGES.filter((tag) => tag !== language && !languages.includes(tag));
  const options = known.map((tag) => optionElement(tag, languageName(tag, texts), false));
  const input = html`<input id="added" name="added" list="known-languages" autocomplete="off" required><datalist id="known-languages">${options}</datalist>`;
  const content = formField("added", t.add, input, texts.settings.languageHint);
  return actionForm(visit, ADD_PATH, { button: t.addButton, content });
}

function languageSection(visit: ScreenVisit, profile: SiteProfile, language: string): SafeHtml {
  const { texts } = visit;
  const t = texts.languages;
  const name = languageName(language, texts);
  const saveForm = actionForm(visit, SCREEN_PATH, {
    button: t.save(name),
    hidden: { language },
    content: translationFields(visit, profile, language),
  });
  const removeForm = actionForm(visit, REMOVE_PATH, {
    button: t.remove(name),
    hidden: { language },
    isQuiet: true,
    content: html`<p class="hint">${t.removeHint}</p>`,
  });
  return html`<details><summary>${name}</summary>
${saveForm}${removeForm}</details>
`;
}

/** The section of a regional variant, which shares the pages of another language of the site. */
function variantSection(visit: ScreenVisit, language: string): SafeHtml {
  const t = visit.texts.languages;
  const name = languageName(language, visit.texts);
  return html`<details><summary>${name}</summary>
${actionForm(visit, REMOVE_PATH, {
  button: t.remove(name),
  hidden: { language },
  isQuiet: true,
  content: html`<p class="hint">${t.variant}</p>`,
})}</details>
`;
}

/** The fields of a language. Field names begin with its tag, because the screen shows several languages. */
function translationFields(
  { texts }: ScreenVisit,
  profile: SiteProfile,
  language: string,
): SafeHtml {
  const { settings, appearance, languages } = texts;
  const own = profile.translations[language] ?? {};
  const at = (name: string) => `${language}.${name}`;
  const area = (name: string, label: string, [text, hint]: readonly [string, string?]) =>
    formField(
      at(name),
      label,
      html`<textarea id="${at(name)}" name="${at(name)}" rows="3" lang="${language}">\n${text}</textarea>`,
      hint,
    );
  return html`<p class="hint">${languages.emptyHint}</p>
${formField(at("name"), settings.name, html`<input id="${at("name")}" name="${at("name")}" value="${own.name ?? ""}" placeholder="${profile.name}" lang="${language}">`)}
${area("description", settings.description, [own.description ?? ""])}
${area("whenToUse", settings.whenToUse, [(own.whenToUse ?? []).join("\n"), settings.whenToUseHint])}
<fieldset class="field"><legend>${appearance.slots}</legend><p class="hint">${appearance.slotsHint}</p>
${MARKDOWN_SLOTS.map((slot) => area(`slot-${slot}`, appearance.slot[slot], [own.slots?.[slot] ?? ""]))}</fieldset>
${licenceFields(own.licence, texts, `${language}.`)}`;
}

/**
 * Converts the fields of one language to its entry in `translations` of a settings patch. The patch omits
 * settings that the screen does not show, so these settings stay unchanged.
 */
function translationIn(
  form: SentForm,
  language: string,
  { slots }: TranslatedProfile,
): Readonly<Record<string, unknown>> {
  const text = (name: string) => form.value(`${language}.${name}`).trim();
  const purposes = nonEmptyLines(text("whenToUse"));
  const ownSlots = MARKDOWN_SLOTS.map((slot) => {
    // The value "" hides a slot; null shows the main language's text. With an empty input, a hidden
    // slot stays hidden.
    const ifEmpty = slots?.[slot] === "" ? "" : null;
    return [slot, text(`slot-${slot}`) || ifEmpty];
  });
  return {
    name: text("name") || null,
    description: text("description") || null,
    whenToUse: purposes.length === 0 ? null : purposes,
    slots: Object.fromEntries(ownSlots),
    licence: licenceFromForm(form, `${language}.`),
  };
}
