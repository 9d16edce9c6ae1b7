import type { FoundSession } from "../../access/people/sessions.ts";
import { confirmPassword } from "../../access/people/sign-in.ts";
import { AppError } from "../../errors.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import { STATUSES } from "../problem.ts";
import { retryAfter } from "../retry-after.ts";
import type { SentForm } from "../site/sent-form.ts";
import { CONFIRM_PATH } from "./account.ts";
import type { SignedInVisit } from "./admin-route.ts";
import { matchPath, type Screen, type ScreenVisit } from "./screens/frame/screen.ts";
import { SCREENS } from "./screens.ts";

/** In a form that asks for the password again before it does anything. */
const PASSWORD_FIELD = "own-password";
const NO_FORM: SentForm = { value: () => "", values: () => [], files: [] };
/** What the form changes is no longer as its page showed it. */
const OUTDATED = new Set(["conflict", "precondition"]);

/** The visit of a screen at an address, with the values of its path. */
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
  const from = pageOf(request);
  const screen = SCREENS.find(
    ({ method, path }) => method === "GET" && matchPath(path, from.pathname) !== null,
  );
  if (screen === undefined) return null;
  const asksPassword = error.code === "unconfirmed" || form.values(PASSWORD_FIELD).length > 0;
  const failed = {
    action: request.url.pathname,
    form,
    fault: error.message,
    status: STATUSES[error.code],
    isOutdated: OUTDATED.has(error.code),
    first: asksPassword ? passwordHtml(visit) : undefined,
  };
  const query = from.searchParams;
  const full = { ...screenVisit(screen, visit, { pathname: from.pathname, query }), failed };
  try {
    const shown = await screen.answer(full, NO_FORM);
    const isPage = shown.status === failed.status;
    const canGoOn = !asksPassword || String(shown.body).includes(`name="${PASSWORD_FIELD}"`);
    return isPage && canGoOn ? withFault(shown, error) : null;
  } catch (again) {
    if (again instanceof AppError) return null;
    throw again;
  }
}

/** Tells scripts, which show it in place, what went wrong. */
export function withFault(shown: HttpAnswer, error: AppError): HttpAnswer {
  const headers = { ...shown.headers, "X-Fault": encodeURIComponent(error.message) };
  return retryAfter({ ...shown, headers }, error.retryAfterSeconds);
}

/** The address of the page with the form; by default its own. */
function pageOf({
  header,
  url,
}: Pick<HttpRequest, "header" | "url">): Pick<URL, "pathname" | "searchParams"> {
  const referrer = header("referer") ?? "";
  return URL.canParse(referrer) ? new URL(referrer) : url;
}

function passwordHtml({ texts, parts }: SignedInVisit): SafeHtml {
  const provider =
    parts.provider !== null &&
    html`<p><a href="${CONFIRM_PATH}" target="_blank">${texts.entering.signInAt(parts.provider.name)}</a></p>\n`;
  return html`<div class="field"><label>${texts.entering.fields.password} <input name="${PASSWORD_FIELD}" type="password" autocomplete="current-password"></label></div>\n${provider}`;
}
