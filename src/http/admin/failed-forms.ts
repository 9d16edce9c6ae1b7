import type { FoundSession } from "../../access/people/sessions.ts";
import { confirmPassword } from "../../access/people/sign-in.ts";
import { AppError } from "../../errors.ts";
import { html } from "../../render/html.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import { STATUS_BY_CODE } from "../problem.ts";
import { retryAfter } from "../retry-after.ts";
import type { SentForm } from "../site/sent-form.ts";
import { confirmPath } from "./account.ts";
import type { SignedInVisit, Visit } from "./admin-route.ts";
import { ACCOUNT_PATH } from "./entering.ts";
import { faultText } from "./fault-text.ts";
import { FORM_TOKEN_FIELD } from "./own-page.ts";
import { actionForm, screenAnswer } from "./screens/frame/frame.ts";
import { matchPath, type Screen, type ScreenVisit } from "./screens/frame/screen.ts";
import { SCREENS } from "./screens.ts";

/** Field of forms that ask for the password again. */
const PASSWORD_FIELD = "own-password";
const NO_FORM: SentForm = { value: () => "", values: () => [], fields: [], files: [] };
/** Error codes for an object that changed after the form's page was shown. */
const OUTDATED_CODES = new Set(["conflict", "precondition"]);

/** Adds query and path parameters to a visit of a screen. */
export function screenVisit(
  screen: Screen,
  visit: SignedInVisit,
  { pathname, query }: { pathname: string; query: URLSearchParams },
): ScreenVisit {
  const values = matchPath(screen.path, pathname);
  const part = (name: string) => {
    const value = values?.get(name);
    if (value === undefined) throw new Error(`${screen.path} has no part ${name}`);
    return value;
  };
  return { ...visit, part, query };
}

/**
 * The session, with the password entered again if the form has it.
 *
 * @throws {AppError} `unauthenticated` for a wrong password; `rate_limited`.
 */
export async function confirmed(visit: SignedInVisit, form: SentForm): Promise<FoundSession> {
  const { parts, found } = visit;
  const password = form.value(PASSWORD_FIELD);
  if (found.actor.isConfirmed || password === "") return found;
  await confirmPassword(parts.people, found, password, visit);
  return { ...found, actor: { ...found.actor, isConfirmed: true } };
}

/**
 * The page that a form was sent from, with the error and with what was typed; null: it cannot be shown.
 */
export async function formAgain(
  request: Pick<HttpRequest, "header" | "url">,
  visit: SignedInVisit,
  { error, form }: { error: AppError; form: SentForm },
): Promise<HttpAnswer | null> {
  const mode = request.header("sec-fetch-mode") ?? "navigate";
  if (mode !== "navigate") return null;
  const asksPassword = error.code === "unconfirmed" || form.values(PASSWORD_FIELD).length > 0;
  if (asksPassword && !visit.found.actor.isConfirmed) {
    return withFault(passwordPage(visit, request.url.pathname, { error, form }), error, visit);
  }
  const from = pageOf(request);
  const screen = SCREENS.find(
    ({ method, path }) => method === "GET" && matchPath(path, from.pathname) !== null,
  );
  if (screen === undefined) return null;
  const failed = {
    action: request.url.pathname,
    form: withoutToken(form),
    fault: faultText(error, visit),
    status: STATUS_BY_CODE[error.code],
    isOutdated: OUTDATED_CODES.has(error.code),
  };
  const query = from.searchParams;
  const full = { ...screenVisit(screen, visit, { pathname: from.pathname, query }), failed };
  try {
    const shown = await screen.answer(full, NO_FORM);
    return shown.status === failed.status ? withFault(shown, error, visit) : null;
  } catch (again) {
    if (again instanceof AppError) return null;
    throw again;
  }
}

/** Marks the page for scripts, which show the error in place. */
export function withFault(
  shown: HttpAnswer,
  error: AppError,
  visit: Pick<Visit, "texts" | "parts">,
): HttpAnswer {
  const headers = { ...shown.headers, "X-Fault": encodeURIComponent(faultText(error, visit)) };
  return retryAfter({ ...shown, headers }, error.retryAfterSeconds);
}

/** Leaves out the old token: the page is shown with that of the current session. */
function withoutToken(form: SentForm): Pick<SentForm, "values"> {
  return { values: (name) => (name === FORM_TOKEN_FIELD ? [] : form.values(name)) };
}

/** The address of the page with the form, by default the address that the form posts to. */
function pageOf({
  header,
  url,
}: Pick<HttpRequest, "header" | "url">): Pick<URL, "pathname" | "searchParams"> {
  const referrer = header("referer") ?? "";
  return URL.canParse(referrer) ? new URL(referrer) : url;
}

/** A page that asks for the password and submits the form again. */
function passwordPage(
  visit: SignedInVisit,
  url: string,
  { error, form }: { error: AppError; form: SentForm },
): HttpAnswer {
  const { texts, parts } = visit;
  const own = [FORM_TOKEN_FIELD, PASSWORD_FIELD];
  const sent = form.fields
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`);
  const content = html`${
    parts.provider !== null &&
    html`<p><a href="${confirmPath(ACCOUNT_PATH)}" target="_blank">${texts.entering.signInAt(parts.provider.name)}</a></p>\n`
  }${actionForm(visit, url, {
    button: texts.entering.goOn,
    content: html`${sent}<div class="field"><label>${texts.entering.fields.password} <input name="${PASSWORD_FIELD}" type="password" autocomplete="current-password" autofocus></label></div>`,
  })}`;
  const shown = { title: texts.account.confirm, fault: faultText(error, visit), content };
  return screenAnswer({ ...visit, url }, { ...shown, status: STATUS_BY_CODE[error.code] });
}
