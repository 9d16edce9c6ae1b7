import { isDeepStrictEqual } from "node:util";
import type { ContentReader } from "../../../../content/record.ts";
import { type Edition, editionsOf, mainEdition } from "../../../../content/site/editions.ts";
import { DEFAULT_HOME_BLOCKS } from "../../../../content/site/home-blocks.ts";
import { changeSettings, readSettings } from "../../../../content/site/settings.ts";
import type { SiteProfile } from "../../../../content/site/site.ts";
import { AppError } from "../../../../errors.ts";
import { html } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { SentForm, SentValues } from "../../../site/sent-form.ts";
import { errorText } from "../../error-text.ts";
import { redirectAfterSave } from "../../page.ts";
import { findLinkTargetsByName } from "../editor/link-names.ts";
import { csrfTokenField, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { PICKER_SCRIPT_PATH } from "../frame/scripts.ts";
import { viewOnSitePath } from "../frame/view-path.ts";
import { createHomeRow, homeBlockFields } from "./home-fields.ts";
import {
  applyHomeRowAction,
  HOME_ROW_ACTIONS,
  type HomeRow,
  homeBlockFromRow,
  homeRowFromBlock,
  homeRowsFromForm,
  isBlockKind,
} from "./home-rows.ts";
import { ROW_BUTTON_PATTERN } from "./move-buttons.ts";

const SCREEN_PATH = "/admin/home";

/** The rows of each edition that has a home page of its own, keyed by the edition's language. */
type OwnRows = ReadonlyMap<string, readonly HomeRow[]>;

interface ShownForm {
  rows: OwnRows;
  /** Value of the button that gets the focus. Present only while the form has unsaved changes. */
  pressed?: string;
  failed?: { fault: string; status: number };
}

const show: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer({ failed, ...visit }) {
    if (failed !== undefined) return await failedAnswer(visit, failed);
    const { profile } = await readSettings(visit.parts.stores.content, visit.signedIn.actor);
    const editions = editionsOf(visit.parts.reading);
    const rows = editions.flatMap(({ language }) => {
      const own = ownParts(profile, language);
      return own.length === 0 ? [] : [[language, own.map(homeRowFromBlock)] as const];
    });
    return formResponse(visit, { rows: new Map(rows) });
  },
};

const save: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const moveMatch = ROW_BUTTON_PATTERN.exec(form.value("move"));
    const rows = new Map<string, readonly HomeRow[]>();
    const faults: AppError[] = [];
    for (const edition of editionsOf(parts.reading)) {
      const resolved = await withPagePaths(visit, homeRowsFromForm(form, edition.language));
      if (resolved.fault !== null && moveMatch === null) faults.push(resolved.fault);
      if (isOwn(visit, form, { edition, rows: resolved.rows, moveMatch })) {
        rows.set(edition.language, resolved.rows);
      }
    }
    if (moveMatch !== null) return movedResponse(visit, form, { rows, moveMatch });
    const [fault] = faults;
    if (fault !== undefined) return invalidResponse(visit, rows, fault);
    try {
      const patch = patchOf(editionsOf(parts.reading), rows);
      await parts.atomically(({ content }) =>
        changeSettings(content, signedIn.actor, patch, { now, requestId }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      return invalidResponse(visit, rows, error);
    }
    return redirectAfterSave(SCREEN_PATH);
  },
};

export const homeScreens: readonly Screen[] = [show, save];

function invalidResponse(visit: ScreenVisit, rows: OwnRows, error: AppError): HttpResponse {
  return formResponse(visit, { rows, failed: { fault: errorText(error, visit), status: 400 } });
}

/** Shows the rows that were entered in a refused form, instead of the rows of the saved home page. */
async function failedAnswer(
  visit: ScreenVisit,
  { form, fault, status }: NonNullable<ScreenVisit["failed"]>,
): Promise<HttpResponse> {
  const { reading, stores } = visit.parts;
  const rows = new Map<string, readonly HomeRow[]>();
  for (const edition of editionsOf(reading)) {
    const sent = homeRowsFromForm(form, edition.language).map(async (row) => {
      const paths = await Promise.all(row.paths.map((each) => pathOf(stores.content, each)));
      return { ...row, paths };
    });
    const own = await Promise.all(sent);
    if (isOwn(visit, form, { edition, rows: own, moveMatch: null }))
      rows.set(edition.language, own);
  }
  return formResponse(visit, { rows, failed: { fault, status } });
}

/**
 * The blocks that the profile defines for an edition's home page. Empty: the edition shows the usual home
 * page.
 */
function ownParts(profile: SiteProfile, language: string): SiteProfile["home"] {
  if (language === profile.language) return profile.home;
  return profile.translations[language]?.home ?? [];
}

/** The rows of the usual home page, which an edition shows if the profile defines no blocks for it. */
function usualRows({ parts }: ScreenVisit, { language }: Edition): HomeRow[] {
  const main = mainEdition(parts.reading);
  const home = language === main.language ? [] : main.site.home;
  return (home.length === 0 ? DEFAULT_HOME_BLOCKS : home).map(homeRowFromBlock);
}

/**
 * Whether the edition gets home page blocks of its own. True if the editor chose this, moved a row,
 * or changed a row of the usual home page.
 */
function isOwn(
  visit: ScreenVisit,
  form: SentValues,
  {
    edition,
    rows,
    moveMatch,
  }: { edition: Edition; rows: readonly HomeRow[]; moveMatch: readonly string[] | null },
): boolean {
  const { language } = edition;
  if (form.value(`${language}.own`) === "yes" || moveMatch?.[1] === language) return true;
  const wasUsual = form.value(`${language}.was`) === "automatic";
  return wasUsual && !isDeepStrictEqual(rows, usualRows(visit, edition));
}

/**
 * Returns the rows with the paths of all their pages. Editors pick pages or, in a browser without
 * scripts, type their names.
 */
async function withPagePaths(
  { parts, signedIn }: ScreenVisit,
  rows: readonly HomeRow[],
): Promise<{ rows: HomeRow[]; fault: AppError | null }> {
  const { content } = parts.stores;
  const names = rows.map((row, at) => [String(at), row.names.split("\n")] as const);
  const added = Object.fromEntries(
    names.map(([at, each]) => [at, each.map((name) => name.trim()).filter((name) => name !== "")]),
  );
  const stores = { ...parts.stores, deskIndex: parts.deskIndex };
  const namedLinks = await findLinkTargetsByName(stores, signedIn.actor, { targets: {}, added });
  const complete = rows.map(async (row, at): Promise<HomeRow> => {
    const picked = [...row.paths, ...(namedLinks.linkedIds[at] ?? [])];
    const paths = await Promise.all(picked.map((each) => pathOf(content, each)));
    return {
      ...row,
      paths: [...new Set(paths)],
      names: (namedLinks.unmatched[at] ?? []).join("\n"),
    };
  });
  const fault = namedLinks.fault === null ? null : new AppError("invalid", namedLinks.fault);
  return { rows: await Promise.all(complete), fault };
}

async function pathOf(content: ContentReader, idOrPath: string): Promise<string> {
  if (idOrPath.startsWith("/")) return idOrPath;
  return (await content.item(idOrPath))?.path ?? idOrPath;
}

/** Shows the form with a row moved, removed or added. Nothing is saved. */
function movedResponse(
  visit: ScreenVisit,
  form: SentForm,
  { rows: sent, moveMatch }: { rows: OwnRows; moveMatch: readonly string[] },
): HttpResponse {
  const [, language = "", at = "", button = ""] = moveMatch;
  const rows = new Map(sent);
  const own = rows.get(language) ?? [];
  const addedKind = form.value(`${language}.add`);
  if (button === "add" && isBlockKind(addedKind)) {
    rows.set(language, [...own, createHomeRow(visit, addedKind)]);
    return formResponse(visit, { rows, pressed: `${language}:${own.length}:up` });
  }
  const move = HOME_ROW_ACTIONS.find((each) => each === button) ?? "up";
  const after = applyHomeRowAction(own, Number(at), move);
  rows.set(language, after.rows);
  return formResponse(visit, { rows, pressed: `${language}:${Math.max(0, after.at)}:${move}` });
}

/**
 * Converts the rows to a settings patch. An edition without rows of its own gets the usual home
 * page again.
 */
function patchOf(
  [main, ...others]: readonly Edition[],
  rows: OwnRows,
): Readonly<Record<string, unknown>> {
  const blocks = (edition: Edition | undefined) =>
    (rows.get(edition?.language ?? "") ?? []).map(homeBlockFromRow);
  const changed = others.map((edition) => {
    const home = blocks(edition);
    return [edition.language, { home: home.length === 0 ? null : home }];
  });
  return { home: blocks(main), translations: Object.fromEntries(changed) };
}

function formResponse(visit: ScreenVisit, { rows, pressed, failed }: ShownForm): HttpResponse {
  const { texts, parts, token } = visit;
  const t = texts.home;
  const fields = editionsOf(parts.reading).map((edition) => {
    const own = rows.get(edition.language);
    const shownRows = { rows: own ?? usualRows(visit, edition), isOwn: own !== undefined, pressed };
    return homeBlockFields(visit, edition, shownRows);
  });
  const home = parts.reading.site().hidden ? viewOnSitePath("/") : "/";
  // The Enter key presses the first button of a form, so a hidden button that saves comes first.
  const content = html`<p class="hint">${t.about} <a href="${home}">${t.see}</a></p>
<form method="post" action="${SCREEN_PATH}">
${csrfTokenField({ token })}<button hidden>${t.save}</button>
${fields}<div class="bar"><button>${t.save}</button>${pressed !== undefined && html` <span class="state" role="status">${t.unsaved}</span>`}</div>
</form>
`;
  const scripts = [PICKER_SCRIPT_PATH];
  return screenResponse(
    { ...visit, url: SCREEN_PATH },
    { title: t.title, content, scripts, ...failed },
  );
}
