import { type Edition, editionsOf } from "../../../../content/site/editions.ts";
import type { Menu } from "../../../../content/site/menu.ts";
import { automaticNavigation, menuOf } from "../../../../content/site/navigation.ts";
import { changeSettings, readSettings } from "../../../../content/site/settings.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpAnswer } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { faultText } from "../../fault-text.ts";
import { redirectAnswer } from "../../page.ts";
import { actionForm, screenAnswer } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const PATH = "/admin/navigation";
const EMPTY_ROWS = 4;

/** A line of the form: a top-level entry, or one below the preceding entry. */
interface Row {
  label: string;
  to: string;
  isBelow: boolean;
}

const show: Screen = {
  method: "GET",
  path: PATH,
  scope: "settings:write",
  async answer(visit) {
    const { profile } = await readSettings(visit.parts.stores.content, visit.found.actor);
    const rows = new Map(Object.entries(profile.menus).map(([tag, menu]) => [tag, rowsOf(menu)]));
    return formAnswer(visit, rows, null);
  },
};

const save: Screen = {
  method: "POST",
  path: PATH,
  scope: "settings:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const sent = editionsOf(parts.reading).map(({ language }) => {
      const isOwn = form.value(`${language}.own`) === "yes";
      return [language, isOwn ? sentRows(form, language) : null] as const;
    });
    const menus = sent.map(([language, rows]) => [
      language,
      rows === null ? null : entriesOf(rows),
    ]);
    const patch = { menus: Object.fromEntries(menus) };
    try {
      await parts.atomically(({ content }) =>
        changeSettings(content, found.actor, patch, { now, requestId }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      const kept = sent.flatMap(([tag, rows]) => (rows === null ? [] : [[tag, rows] as const]));
      return formAnswer(visit, new Map(kept), error);
    }
    return redirectAnswer(PATH);
  },
};

export const navigationScreens: readonly Screen[] = [show, save];

function formAnswer(
  visit: ScreenVisit,
  rows: ReadonlyMap<string, readonly Row[]>,
  error: AppError | null,
): HttpAnswer {
  const { texts, parts } = visit;
  const t = texts.navigation;
  const { reading } = parts;
  const editions = editionsOf(reading);
  const known = editions.flatMap((edition) => menuOf(automaticNavigation(reading, edition)));
  const content = html`<p class="hint">${t.about}</p>
<datalist id="addresses">${known.map(({ label, to }) => html`<option value="${to ?? ""}">${label ?? ""}</option>`)}</datalist>
${editions.map((edition) => {
  const own = rows.get(edition.language);
  const automatic = () => rowsOf(menuOf(automaticNavigation(reading, edition)));
  return menuFields(visit, edition, { rows: own ?? automatic(), isOwn: own !== undefined });
})}`;
  const form = actionForm(visit, PATH, { button: t.save, content });
  const fault = error === null ? {} : { fault: faultText(error, visit), status: 400 };
  return screenAnswer({ ...visit, url: PATH }, { title: t.title, content: form, ...fault });
}

function menuFields(
  { texts }: ScreenVisit,
  { language }: Edition,
  { rows, isOwn }: { rows: readonly Row[]; isOwn: boolean },
): SafeHtml {
  const t = texts.navigation;
  const empty = Array.from({ length: EMPTY_ROWS }, () => ({ label: "", to: "", isBelow: false }));
  const name = new Intl.DisplayNames([texts.language], { type: "language" }).of(language);
  return html`<fieldset class="field"><legend>${t.inLanguage(name ?? language)}</legend>
<label class="choice"><input type="radio" name="${language}.own" value=""${!isOwn && html` checked`}>${t.automatic}</label>
<label class="choice"><input type="radio" name="${language}.own" value="yes"${isOwn && html` checked`}>${t.own}</label>
<table class="menu-rows"><thead><tr><th scope="col">${t.position}</th><th scope="col">${t.label}</th><th scope="col">${t.to}</th><th scope="col">${t.level}</th></tr></thead><tbody>
${[...rows, ...empty].map((row, at) => rowFields({ row, at, language, t }))}</tbody></table></fieldset>
`;
}

function rowFields({
  row: { label, to, isBelow },
  at,
  language,
  t,
}: {
  row: Row;
  at: number;
  language: string;
  t: ScreenVisit["texts"]["navigation"];
}): SafeHtml {
  const name = (part: string) => `${language}.${part}`;
  const spoken = (part: string) => t.inRow(part, at + 1);
  return html`<tr><td data-label="${t.position}"><input type="number" name="${name("position")}" value="${(at + 1) * 10}" aria-label="${spoken(t.position)}"></td>
<td data-label="${t.label}"><input name="${name("label")}" value="${label}" maxlength="60" aria-label="${spoken(t.label)}"></td>
<td data-label="${t.to}"><input name="${name("to")}" value="${to}" list="addresses" maxlength="1000" autocomplete="off" aria-label="${spoken(t.to)}"></td>
<td data-label="${t.level}"><select name="${name("level")}" aria-label="${spoken(t.level)}"><option value="top">${t.top}</option><option value="below"${isBelow && html` selected`}>${t.below}</option></select></td></tr>
`;
}

function rowsOf(menu: Menu): Row[] {
  return menu.flatMap(({ label = "", to = "", entries }) => [
    { label, to, isBelow: false },
    ...entries.map((entry) => ({ label: entry.label ?? "", to: entry.to, isBelow: true })),
  ]);
}

/** The rows by position, without empty ones. */
function sentRows(form: SentForm, language: string): Row[] {
  const [labels = [], addresses = [], positions = [], levels = []] = [
    "label",
    "to",
    "position",
    "level",
  ].map((part) => form.values(`${language}.${part}`));
  return labels
    .map((label, at) => ({
      label: label.trim(),
      to: addresses[at]?.trim() ?? "",
      isBelow: levels[at] === "below",
      position: Number(positions[at]) || 0,
    }))
    .filter(({ label, to }) => label !== "" || to !== "")
    .sort((a, b) => a.position - b.position)
    .map(({ position: _, ...row }) => row);
}

interface SentEntry {
  label?: string;
  to?: string;
  entries: { label?: string; to: string }[];
}

/** In the format of `menus` in the settings. */
function entriesOf(rows: readonly Row[]): SentEntry[] {
  const menu: SentEntry[] = [];
  for (const { label, to, isBelow } of rows) {
    const named = label === "" ? {} : { label };
    const above = isBelow ? menu.at(-1) : undefined;
    if (above !== undefined) above.entries.push({ ...named, to });
    else menu.push({ ...named, ...(to === "" ? {} : { to }), entries: [] });
  }
  return menu;
}
