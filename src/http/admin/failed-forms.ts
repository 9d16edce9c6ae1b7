import { isClaimCode } from "../../access/keys/key-format.ts";
import { confirmIdentityWithPassword } from "../../access/people/own-password.ts";
import type { SessionWithAdmin } from "../../access/people/sessions.ts";
import { AppError } from "../../errors.ts";
import { html } from "../../render/html.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { STATUS_BY_CODE } from "../problem.ts";
import { withRetryAfter } from "../retry-after.ts";
import type { SentForm, SentValues } from "../site/sent-form.ts";
import { passwordConfirmationPath } from "./account.ts";
import type { AdminVisit, SignedInVisit } from "./admin-route.ts";
import { CSRF_TOKEN_FIELD } from "./csrf.ts";
import { errorText } from "./error-text.ts";
import { actionForm, screenResponse } from "./screens/frame/frame.ts";
import { matchPath, type Screen, type ScreenVisit } from "./screens/frame/screen.ts";
import { SCREENS } from "./screens.ts";
import { ACCOUNT_PATH } from "./sign-in.ts";

/** Field of forms that ask for the password again. */
const PASSWORD_FIELD = "own-password";
/** An empty form, for requests without a form. */
export const EMPTY_FORM: SentForm = { value: () => "", values: () => [], fields: [], files: [] };
/** Error codes that mean that the object changed after the form was shown. */
const OUTDATED_CODES = new Set(["conflict", "precondition"]);

/** Adds the query and the path parameters of an address to a visit, as screens require them. */
export function toScreenVisit(
  screen: Screen,
  visit: SignedInVisit,
  { pathname, query }: { pathname: string; query: URLSearchParams },
): ScreenVisit {
  const parameters = matchPath(screen.path, pathname);
  const pathParameter = (name: string) => {
    const value = parameters?.get(name);
    if (value === undefined) throw new Error(`${screen.path} has no path parameter ${name}`);
    return value;
  };
  return { ...visit, pathParameter, query };
}

/**
 * The session of a visit. Marked as confirmed if the form contains the person's correct password.
 *
 * @throws {AppError} `unauthenticated` for a wrong password; `rate_limited`.
 */
export async function confirmSession(
  visit: SignedInVisit,
  form: SentForm,
): Promise<SessionWithAdmin> {
  const { parts, signedIn } = visit;
  const password = form.value(PASSWORD_FIELD);
  if (signedIn.actor.isConfirmed || password === "") return signedIn;
  await confirmIdentityWithPassword(parts.people, signedIn, password, visit);
  return { ...signedIn, actor: { ...signedIn.actor, isConfirmed: true } };
}

/**
 * The page that a form was sent from, with the error and the input. Null if the page cannot be
 * shown.
 */
export async function renderFailedFormPage(
  request: Pick<HttpRequest, "header" | "url">,
  visit: SignedInVisit,
  { error, form }: { error: AppError; form: SentForm },
): Promise<HttpResponse | null> {
  const mode = request.header("sec-fetch-mode") ?? "navigate";
  if (mode !== "navigate") return null;
  const asksPassword = error.code === "unconfirmed" || form.values(PASSWORD_FIELD).length > 0;
  if (asksPassword && !visit.signedIn.actor.isConfirmed) {
    return withErrorHeader(
      passwordPage(visit, request.url.pathname, { error, form }),
      error,
      visit,
    );
  }
  const from = formPageUrl(request);
  const screen = SCREENS.find(
    ({ method, path }) => method === "GET" && matchPath(path, from.pathname) !== null,
  );
  if (screen === undefined) return null;
  const failed = {
    action: request.url.pathname,
    form: withoutToken(form),
    fault: errorText(error, visit),
    status: STATUS_BY_CODE[error.code],
    isOutdated: OUTDATED_CODES.has(error.code),
  };
  const query = from.searchParams;
  const fullVisit = { ...toScreenVisit(screen, visit, { pathname: from.pathname, query }), failed };
  try {
    const page = await screen.answer(fullVisit, EMPTY_FORM);
    return page.status === failed.status ? withErrorHeader(page, error, visit) : null;
  } catch (pageError) {
    if (pageError instanceof AppError) return null;
    throw pageError;
  }
}

/**
 * Adds the error to a response as a header, for scripts that show the error without loading the
 * page.
 */
export function withErrorHeader(
  shown: HttpResponse,
  error: AppError,
  visit: Pick<AdminVisit, "texts" | "parts">,
): HttpResponse {
  const headers = { ...shown.headers, "X-Fault": encodeURIComponent(errorText(error, visit)) };
  return withRetryAfter({ ...shown, headers }, error.retryAfterSeconds);
}

/** Omits the form's old token, because the page has the current session's token. */
function withoutToken(form: SentForm): SentValues {
  const values = (name: string) => (name === CSRF_TOKEN_FIELD ? [] : form.values(name));
  return { values, value: (name) => values(name)[0] ?? "" };
}

/**
 * The address of the page with the form. Without a referrer, the address that the form is sent to.
 */
function formPageUrl({
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
): HttpResponse {
  const { texts, parts } = visit;
  const excluded = [CSRF_TOKEN_FIELD, PASSWORD_FIELD];
  const hiddenInputs = form.fields
    .filter(([name]) => !excluded.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`);
  const content = html`${
    parts.provider !== null &&
    html`<p><a href="${passwordConfirmationPath(ACCOUNT_PATH)}" target="_blank">${texts.entering.signInAt(parts.provider.name)}</a></p>\n`
  }${actionForm(visit, url, {
    button: texts.entering.continue,
    content: html`${hiddenInputs}<div class="field"><label>${texts.entering.fields.password} <input name="${PASSWORD_FIELD}" type="password" autocomplete="current-password" autofocus></label></div>`,
  })}`;
  const pageContent = { title: texts.account.confirm, fault: errorText(error, visit), content };
  return screenResponse({ ...visit, url }, { ...pageContent, status: STATUS_BY_CODE[error.code] });
}

/**
 * The input to restore in a form that is shown again, for forms outside the screens. Never includes
 * a password, even one typed into the wrong field. Includes an unused one-time code, so that people
 * need not copy it from another device twice.
 */
export function selectInputToRestore(
  form: SentForm,
  name: string,
  isCodeUnused: boolean,
): readonly string[] {
  if (name === "name") return form.values(name);
  if (name === "code") {
    return form.values(name).filter((value) => isCodeUnused && isClaimCode(value.trim()));
  }
  return name === "email" ? form.values(name).filter((value) => value.includes("@")) : [];
}
