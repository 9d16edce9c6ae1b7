import { isDeepStrictEqual } from "node:util";
import { type Edition, editionsOf } from "../../../../content/site/editions.ts";
import type { Menu } from "../../../../content/site/menu.ts";
import {
  buildAutomaticNavigation,
  menuFromNavigation,
} from "../../../../content/site/navigation.ts";
import { changeSettings, readSettings } from "../../../../content/site/settings.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { SentForm, SentValues } from "../../../site/sent-form.ts";
import { errorText } from "../../error-text.ts";
import { redirectAfterSave } from "../../page.ts";
import { languageName } from "../../texts/choose.ts";
import { csrfTokenField, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import {
  applyMenuRowAction,
  canApplyMenuRowAction,
  MENU_ROW_ACTIONS,
  type MenuRow,
  type MenuRowAction,
} from "./menu-rows.ts";
import { ROW_ACTION_SYMBOLS, ROW_BUTTON_PATTERN } from "./move-buttons.ts";

const SCREEN_PATH = "/admin/navigation";
const EMPTY_ROWS = 3;

/** The state of the form, initial or as submitted. */
interface FormState {
  /** Rows of editions whose navigation is not automatic, keyed by language. */
  rows: ReadonlyMap<string, readonly MenuRow[]>;
  /** Value of the button that gets the focus. Present only while the form has unsaved changes. */
  pressed?: string;
  failed?: { fault: string; status: number };
}

const show: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer({ failed, ...visit }) {
    if (failed !== undefined) {
      const { form, fault, status } = failed;
      return formResponse(visit, { rows: ownRows(visit, form), failed: { fault, status } });
    }
    const { profile } = await readSettings(visit.parts.stores.content, visit.signedIn.actor);
    const rows = new Map(Object.entries(profile.menus).map(([tag, menu]) => [tag, rowsOf(menu)]));
    return formResponse(visit, { rows });
  },
};

const save: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const moveMatch = ROW_BUTTON_PATTERN.exec(form.value("move"));
    if (moveMatch !== null) return movedResponse(visit, form, moveMatch);
    const rows = ownRows(visit, form);
    const menus = editionsOf(parts.reading).map(({ language }) => {
      const own = rows.get(language);
      return [language, own === undefined ? null : entriesOf(own)];
    });
    const patch = { menus: Object.fromEntries(menus) };
    try {
      await parts.atomically(({ content }) =>
        changeSettings(content, signedIn.actor, patch, { now, requestId }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      return formResponse(visit, { rows, failed: { fault: errorText(error, visit), status: 400 } });
    }
    return redirectAfterSave(SCREEN_PATH);
  },
};

export const navigationScreens: readonly Screen[] = [show, save];

/** The rows of a form, for each edition that gets entries of its own. */
function ownRows(visit: ScreenVisit, form: SentValues): ReadonlyMap<string, MenuRow[]> {
  const own = editionsOf(visit.parts.reading).filter((edition) => isOwn(visit, form, edition));
  return new Map(own.map(({ language }) => [language, filledRows(sentRows(form, language))]));
}

/**
 * Whether the edition gets entries of its own. True if the editor chose this or changed the
 * automatic entries.
 */
function isOwn({ parts }: ScreenVisit, form: SentValues, edition: Edition): boolean {
  const { language } = edition;
  if (form.value(`${language}.own`) === "yes") return true;
  const automatic = rowsOf(menuFromNavigation(buildAutomaticNavigation(parts.reading, edition)));
  const wasAutomatic = form.value(`${language}.was`) === "automatic";
  return wasAutomatic && !isDeepStrictEqual(filledRows(sentRows(form, language)), automatic);
}

/** Shows the form with a row moved; nothing is saved. */
function movedResponse(
  visit: ScreenVisit,
  form: SentForm,
  [, movedLanguage = "", at = "", button = ""]: readonly string[],
): HttpResponse {
  const rows = new Map<string, readonly MenuRow[]>();
  let pressed = "";
  for (const { language } of editionsOf(visit.parts.reading)) {
    const sent = sentRows(form, language);
    if (language === movedLanguage) {
      const move = MENU_ROW_ACTIONS.find((each) => each === button) ?? "up";
      const own = filledRows(sent);
      const row = sent[Number(at)];
      const after = applyMenuRowAction(own, row === undefined ? -1 : own.indexOf(row), move);
      rows.set(language, after.rows);
      pressed = buttonValue(language, Math.max(0, after.at), move);
    } else if (form.value(`${language}.own`) === "yes") rows.set(language, filledRows(sent));
  }
  return formResponse(visit, { rows, pressed });
}

function buttonValue(language: string, at: number, move: MenuRowAction): string {
  return `${language}:${at}:${move}`;
}

function formResponse(visit: ScreenVisit, shown: FormState): HttpResponse {
  const { texts, parts } = visit;
  const t = texts.navigation;
  const { reading } = parts;
  const { rows, pressed, failed } = shown;
  const editions = editionsOf(reading);
  const automaticEntries = editions.flatMap((edition) =>
    menuFromNavigation(buildAutomaticNavigation(reading, edition)),
  );
  const content = html`<p class="hint">${t.about}</p>
<datalist id="addresses">${automaticEntries.map(({ label, to }) => html`<option value="${to ?? ""}">${label ?? ""}</option>`)}</datalist>
${editions.map((edition) => {
  const own = rows.get(edition.language);
  const automatic = () => rowsOf(menuFromNavigation(buildAutomaticNavigation(reading, edition)));
  const isOwn = own !== undefined;
  return menuFields(visit, edition, { rows: own ?? automatic(), isOwn, pressed });
})}`;
  // The Enter key presses the first button of a form, so a hidden button that saves comes first.
  const form = html`<form method="post" action="${SCREEN_PATH}">
${csrfTokenField(visit)}<button hidden>${t.save}</button>
${content}<div class="bar"><button>${t.save}</button>${pressed !== undefined && html` <span class="state" role="status">${t.unsaved}</span>`}</div>
</form>
`;
  return screenResponse(
    { ...visit, url: SCREEN_PATH },
    { title: t.title, content: form, ...failed },
  );
}

function menuFields(
  { texts }: ScreenVisit,
  { language }: Edition,
  {
    rows,
    isOwn,
    pressed,
  }: { rows: readonly MenuRow[]; isOwn: boolean; pressed: string | undefined },
): SafeHtml {
  const t = texts.navigation;
  const empty = Array.from({ length: EMPTY_ROWS }, () => ({ label: "", to: "", isBelow: false }));
  return html`<fieldset class="field"><legend>${t.inLanguage(languageName(language, texts))}</legend>
<label class="choice"><input type="radio" name="${language}.own" value=""${!isOwn && html` checked`}>${t.automatic}</label>
<label class="choice"><input type="radio" name="${language}.own" value="yes"${isOwn && html` checked`}>${t.own}</label>
${!isOwn && html`<input type="hidden" name="${language}.was" value="automatic">\n`}<ol class="menu-rows">
${[...rows, ...empty].map((row, at) => rowFields(row, { rows, at, language, pressed, t }))}</ol></fieldset>
`;
}

/** The moves offered in the empty rows, where editors type new entries. */
const MOVES_OF_EMPTY: ReadonlySet<MenuRowAction> = new Set(["up", "level"]);

function rowFields(
  { label, to, isBelow }: MenuRow,
  {
    rows,
    at,
    language,
    pressed,
    t,
  }: {
    rows: readonly MenuRow[];
    at: number;
    language: string;
    pressed: string | undefined;
    t: ScreenVisit["texts"]["navigation"];
  },
): SafeHtml {
  const isPossible = (move: MenuRowAction) =>
    at < rows.length ? canApplyMenuRowAction(rows, at, move) : MOVES_OF_EMPTY.has(move);
  const name = (part: string) => `${language}.${part}`;
  const ariaLabel = (part: string) => t.inRow(part, at + 1, isBelow);
  const buttons = MENU_ROW_ACTIONS.map((move) => {
    const value = buttonValue(language, at, move);
    const moveLabel = move === "level" && isBelow ? t.moves.out : t.moves[move];
    const arrow = move === "level" && isBelow ? "←" : ROW_ACTION_SYMBOLS[move];
    return html`<button class="quiet" name="move" value="${value}" title="${moveLabel}" aria-label="${t.inRow(moveLabel, at + 1, false)}"${!isPossible(move) && html` disabled`}${pressed === value && html` autofocus`}>${arrow}</button>`;
  });
  return html`<li${isBelow && html` class="below"`}><input name="${name("label")}" value="${label}" maxlength="60" placeholder="${t.label}" aria-label="${ariaLabel(t.label)}">
<input name="${name("to")}" value="${to}" list="addresses" maxlength="1000" autocomplete="off" placeholder="${t.to}" aria-label="${ariaLabel(t.to)}">
<input type="hidden" name="${name("level")}" value="${isBelow ? "below" : "top"}"><span class="moves">${buttons}</span></li>
`;
}

function rowsOf(menu: Menu): MenuRow[] {
  return menu.flatMap(({ label = "", to = "", entries }) => [
    { label, to, isBelow: false },
    ...entries.map((entry) => ({ label: entry.label ?? "", to: entry.to, isBelow: true })),
  ]);
}

function sentRows(form: SentValues, language: string): MenuRow[] {
  const [labels = [], addresses = [], levels = []] = ["label", "to", "level"].map((part) =>
    form.values(`${language}.${part}`),
  );
  return labels.map((label, at) => ({
    label: label.trim(),
    to: addresses[at]?.trim() ?? "",
    isBelow: at > 0 && levels[at] === "below",
  }));
}

/** Removes empty rows. */
function filledRows(rows: readonly MenuRow[]): MenuRow[] {
  return rows.filter(({ label, to }) => label !== "" || to !== "");
}

interface SentEntry {
  label?: string;
  to?: string;
  entries: { label?: string; to: string }[];
}

/** Converts rows to the format of `menus` in the settings. */
function entriesOf(rows: readonly MenuRow[]): SentEntry[] {
  const menu: SentEntry[] = [];
  for (const { label, to, isBelow } of rows) {
    const named = label === "" ? {} : { label };
    const above = isBelow ? menu.at(-1) : undefined;
    if (above !== undefined) above.entries.push({ ...named, to });
    else menu.push({ ...named, ...(to === "" ? {} : { to }), entries: [] });
  }
  return menu;
}
