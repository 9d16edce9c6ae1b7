import type { PublishedItem } from "../../../../content/library.ts";
import { type Edition, editionPath, editionsOf } from "../../../../content/site/editions.ts";
import type { ContentType } from "../../../../content/types/content-type.ts";
import { isEventType } from "../../../../content/types/date-fields.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { languageName } from "../../texts/choose.ts";
import { relationField } from "../editor/relation-field.ts";
import { formField } from "../frame/field.ts";
import { optionElement } from "../frame/option.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { typesWithScreenLabels } from "../frame/screen-types.ts";
import {
  createEmptyHomeRow,
  FIELDS_BY_BLOCK_KIND,
  HOME_ROW_ACTIONS,
  type HomeRow,
  homeFieldName,
  isBlockKind,
} from "./home-rows.ts";
import { ROW_ACTION_SYMBOLS } from "./move-buttons.ts";

interface ShownRows {
  rows: readonly HomeRow[];
  /**
   * Whether the edition has home page blocks of its own. If not, `rows` are the blocks of the usual
   * home page.
   */
  isOwn: boolean;
  /** Value of the button that was pressed. */
  pressed: string | undefined;
}

type HomeContext = Pick<ScreenVisit, "texts" | "parts">;

/** The form fields for the blocks of an edition's home page. */
export function homeBlockFields(
  visit: HomeContext,
  edition: Edition,
  { rows, isOwn, pressed }: ShownRows,
): SafeHtml {
  const { texts, parts } = visit;
  const t = texts.home;
  const { language } = edition;
  const [main] = editionsOf(parts.reading);
  const defaultLabel = edition.language === main?.language ? t.automatic : t.asMain;
  const offered = Object.keys(FIELDS_BY_BLOCK_KIND)
    .filter(isBlockKind)
    .filter(
      (show) => !FIELDS_BY_BLOCK_KIND[show].includes("type") || typesFor(visit, show).length > 0,
    );
  return html`<fieldset class="field"><legend>${t.inLanguage(languageName(language, texts))}</legend>
<label class="choice"><input type="radio" name="${language}.own" value=""${!isOwn && html` checked`}>${defaultLabel}</label>
<label class="choice"><input type="radio" name="${language}.own" value="yes"${isOwn && html` checked`}>${t.own}</label>
${!isOwn && html`<input type="hidden" name="${language}.was" value="automatic">\n`}<ol class="cards">
${rows.map((row, at) => rowFields(row, { rows, at, edition, pressed, visit }))}</ol>
<p class="filters"><label>${t.add} <select name="${language}.add">${offered.map((show) => optionElement(show, t.kinds[show].label, false))}</select></label> <button class="quiet" name="move" value="${language}:0:add">${t.addButton}</button></p>
</fieldset>
`;
}

function rowFields(
  row: HomeRow,
  {
    rows,
    at,
    edition,
    pressed,
    visit,
  }: {
    rows: readonly HomeRow[];
    at: number;
    edition: Edition;
    pressed: string | undefined;
    visit: HomeContext;
  },
): SafeHtml {
  const t = visit.texts.home;
  const { language } = edition;
  const { label, hint } = t.kinds[row.show];
  const buttons = HOME_ROW_ACTIONS.map((move) => {
    const value = `${language}:${at}:${move}`;
    const isPossible = move === "remove" || (move === "up" ? at > 0 : at < rows.length - 1);
    return html`<button class="quiet" name="move" value="${value}" title="${t.moves[move]}" aria-label="${t.inRow(t.moves[move], at + 1)}"${!isPossible && html` disabled`}${pressed === value && html` autofocus`}>${ROW_ACTION_SYMBOLS[move]}</button>`;
  });
  return html`<li><div class="part"><strong>${label}</strong><span class="moves">${buttons}</span></div>
<p class="hint">${hint}</p>
<input type="hidden" name="${homeFieldName(language, at, "show")}" value="${row.show}">
${row.show === "introduction" && introductionLink(visit, edition)}${partFields(row, { at, edition, visit })}</li>
`;
}

/** A link to the item whose text the introduction shows. */
function introductionLink({ texts, parts }: HomeContext, edition: Edition): SafeHtml | null {
  const item = itemAt(parts.reading, editionPath(edition, "/"));
  if (item === null) return null;
  return html`<p><a href="/admin/content/${item.id}">${texts.home.edit}</a></p>\n`;
}

function partFields(
  row: HomeRow,
  { at, edition, visit }: { at: number; edition: Edition; visit: HomeContext },
): SafeHtml | null {
  const { parts: t } = visit.texts.home;
  const name = (part: string) => homeFieldName(edition.language, at, part);
  switch (row.show) {
    case "text":
      return formField(
        name("markdown"),
        t.markdown,
        html`<textarea id="${name("markdown")}" name="${name("markdown")}" rows="5" maxlength="5000">\n${row.markdown}</textarea>`,
      );
    case "items":
      return html`${formField(name("title"), t.title, html`<input id="${name("title")}" name="${name("title")}" value="${row.title}" maxlength="100">`)}${pagesField(name("paths"), row, visit)}`;
    case "newest":
    case "best":
    case "upcoming":
      return html`<p class="filters"><label>${t.type} <select name="${name("type")}">${typesFor(visit, row.show).map((each) => optionElement(each.name, each.plural, each.name === row.type))}</select></label> <label>${t.items} <input type="number" name="${name("items")}" value="${row.items}" min="1" max="24"></label></p>\n`;
    default:
      return null;
  }
}

function pagesField(
  name: string,
  { paths, names }: HomeRow,
  { texts, parts }: HomeContext,
): SafeHtml {
  const links = paths.map((path) => {
    const title = itemAt(parts.reading, path)?.title ?? null;
    return { to: path, title: title ?? path, path: title === null ? null : path, note: null };
  });
  const label = texts.home.parts.paths;
  return relationField(name, { label, target: "", mayCreate: false }, { links, names, texts });
}

/** The types that a list of the kind `show` can contain. */
function typesFor({ texts, parts }: HomeContext, show: HomeRow["show"]): ContentType[] {
  const types = [...typesWithScreenLabels(parts.reading.types(), texts.language).values()];
  return show === "upcoming" ? types.filter(isEventType) : types;
}

/**
 * Makes a row with a default type. A list of the newest items gets a type with dates; any other row
 * gets quotations.
 */
export function createHomeRow(visit: HomeContext, show: HomeRow["show"]): HomeRow {
  const types = typesFor(visit, show);
  const commonType = types.find(({ dated, schemaOrg }) =>
    show === "newest" ? dated !== undefined : schemaOrg === "Quotation",
  );
  return { ...createEmptyHomeRow(show), type: (commonType ?? types[0])?.name ?? "" };
}

function itemAt(
  reading: ScreenVisit["parts"]["reading"],
  path: string,
): Pick<PublishedItem, "id" | "title"> | null {
  const found = reading.resolve(path);
  return found.kind === "item" ? found.item : null;
}
