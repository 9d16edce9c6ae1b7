import { findSession } from "../../access/people/sessions.ts";
import { AppError } from "../../errors.ts";
import { html } from "../../render/html.ts";
import { refillForm } from "../../render/refilled-form.ts";
import { currentTracer } from "../../tracing.ts";
import { isMultipartForm } from "../api/arriving-form.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { negotiatedErrorResponse, STATUS_BY_CODE } from "../problem.ts";
import { withRetryAfter } from "../retry-after.ts";
import { readFormFromAnyOrigin, type SentForm } from "../site/sent-form.ts";
import { passwordConfirmationPath } from "./account.ts";
import type {
  AdminDependencies,
  AdminRoute,
  AdminVisit,
  FormPage,
  SignedInVisit,
} from "./admin-route.ts";
import { assetResponse } from "./assets.ts";
import { compressPage } from "./compression.ts";
import { findSessionCookieError, requireCsrfToken, requireSameOrigin } from "./csrf.ts";
import { errorText } from "./error-text.ts";
import {
  confirmSession,
  EMPTY_FORM,
  renderFailedFormPage,
  selectInputToRestore,
  toScreenVisit,
  withErrorHeader,
} from "./failed-forms.ts";
import { withFileForm, withStreamedForm } from "./file-form.ts";
import { ADMIN_HEADERS, adminPageResponse, redirectResponse } from "./page.ts";
import { ADMIN_ROUTES } from "./routes.ts";
import { screenResponse } from "./screens/frame/frame.ts";
import { matchPath, type Screen, type ScreenVisit } from "./screens/frame/screen.ts";
import { signInFirstResponse, signInNotice } from "./screens/frame/sign-in-notice.ts";
import { SCREENS } from "./screens.ts";
import { passkeyChallengeSecret, pendingSignInState, sessionToken } from "./session-cookie.ts";
import { ACCOUNT_PATH, DESK_PATH, SECOND_FACTOR_PATH } from "./sign-in.ts";
import { textsForAcceptLanguage } from "./texts/choose.ts";

/** Size limit of forms with a text of up to 1 MiB, which form encoding can triple. */
const TEXT_FORM_BYTES_MAX = 4 * 1024 * 1024;
/** Size limit of forms outside the screens, such as the sign-in form, which anybody can send. */
const SHORT_FORM_BYTES_MAX = 16 * 1024;
const STATUS_OF_WRONG_FIELDS = 422;

type AdminHandler = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * The pages for administrators. Checks in this order: the route (404, 405); whether browsers store
 * a session cookie at this origin (403); whether a POST comes from one of our pages (403); the
 * session; whether the body is a form (415, 413); the form's token (403).
 */
export function createAdminDoor(parts: AdminDependencies): AdminHandler {
  return async (request) => await compressPage(request, await answerUncompressed(request, parts));
}

async function answerUncompressed(
  request: HttpRequest,
  parts: AdminDependencies,
): Promise<HttpResponse> {
  const { pathname } = request.url;
  const fixed = fixedResponse(request);
  if (fixed !== null) return fixed;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const routesAtPath = [
    ...ADMIN_ROUTES.filter(({ path }) => path === pathname),
    ...SCREENS.filter(({ path }) => matchPath(path, pathname) !== null),
  ];
  const route = routesAtPath.find((each) => each.method === method);
  const visit: AdminVisit = {
    parts,
    client: { address: request.address, device: request.header("user-agent") ?? "" },
    now: parts.now(),
    texts: textsForAcceptLanguage(request.header("accept-language")),
    timeZone: parts.reading.site().timeZone,
    requestId: request.id,
    address: new URL(`${parts.origin}${pathname}${request.url.search}`),
    token: sessionToken(request),
    pending: pendingSignInState(request),
    passkeySecret: passkeyChallengeSecret(request),
  };
  if (route === undefined) return missingResponse(request, routesAtPath, visit);
  currentTracer()?.describeRequest({ "http.route": route.path });
  const fault = findSessionCookieError(parts.origin);
  if (fault !== null)
    return signInNotice(visit, {
      title: visit.texts.entering.signIn,
      fault: fault[visit.texts.language],
      status: 403,
    });
  try {
    return await answer(request, route, visit);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const page = signInNotice(visit, {
      title: visit.texts.failed,
      fault: errorText(error, visit),
      status: STATUS_BY_CODE[error.code],
    });
    return withErrorHeader(page, error, visit);
  }
}

async function answer(
  request: HttpRequest,
  route: AdminRoute | Screen,
  visit: AdminVisit,
): Promise<HttpResponse> {
  const { token, parts, now } = visit;
  if (route.method === "POST") requireSameOrigin(request, parts.origin);
  if ("needs" in route && route.needs === "nothing") {
    return await answerRoute(route, visit, await readAdminForm(request, SHORT_FORM_BYTES_MAX));
  }
  const signedIn = token === null ? null : await findSession(parts.people, token, now);
  if (token === null || signedIn === null) return signInFirstResponse(route, visit);
  const isScreen = "scope" in route;
  if (isScreen && route.takesFiles !== undefined && isMultipartForm(request)) {
    return await answerFiles(request, route, { ...visit, token, signedIn });
  }
  const form = await readAdminForm(request, isScreen ? TEXT_FORM_BYTES_MAX : SHORT_FORM_BYTES_MAX);
  const isOpen = signedIn.session.stage === "open";
  const needsOpen = isScreen || route.needs === "session";
  if (needsOpen !== isOpen) return redirectResponse(isOpen ? ACCOUNT_PATH : SECOND_FACTOR_PATH);
  const signedInVisit: SignedInVisit = { ...visit, token, signedIn };
  if (isScreen) return await answerScreen(request, route, { visit: signedInVisit, form });
  if (form !== null) requireCsrfToken(form, token);
  return await answerRoute(route, signedInVisit, form);
}

async function answerFiles(
  request: HttpRequest,
  screen: Screen,
  visit: SignedInVisit,
): Promise<HttpResponse> {
  if (visit.signedIn.session.stage !== "open") return redirectResponse(SECOND_FACTOR_PATH);
  const respond = (form: SentForm) => answerScreen(request, screen, { visit, form });
  if (screen.takesFiles === "whole") return await withFileForm(request, respond);
  return await withStreamedForm(request, visit.parts.draining, respond);
}

async function answerScreen(
  request: HttpRequest,
  screen: Screen,
  { visit, form }: { visit: SignedInVisit; form: SentForm | null },
): Promise<HttpResponse> {
  const { pathname, searchParams: query } = request.url;
  const fullVisit = toScreenVisit(screen, visit, { pathname, query });
  try {
    if (form === null) return await screen.answer(fullVisit, EMPTY_FORM);
    requireCsrfToken(form, visit.token);
    return await screen.answer({ ...fullVisit, signedIn: await confirmSession(visit, form) }, form);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (form === null && error.code === "unconfirmed")
      return redirectResponse(passwordConfirmationPath(pathname));
    const isWaiting = screen.method === "GET" && error.retryAfterSeconds !== undefined;
    if (isWaiting) return waitingScreen(fullVisit, { error, url: pathname });
    const formPage =
      form === null ? null : await renderFailedFormPage(request, fullVisit, { error, form });
    return formPage ?? screenFault(fullVisit, { error, url: pathname });
  }
}

/** A page that says what is being prepared, such as the editors' index, and reloads by itself. */
function waitingScreen(
  visit: ScreenVisit,
  { error, url }: { error: AppError; url: string },
): HttpResponse {
  const { waiting, waitingHint } = visit.texts;
  const content = html`<p role="status">${errorText(error, visit)}.</p>\n<p>${waitingHint}</p>\n`;
  const status = STATUS_BY_CODE[error.code];
  const page = screenResponse({ ...visit, url }, { title: waiting, content, status });
  const headers = { ...page.headers, Refresh: String(error.retryAfterSeconds) };
  return withRetryAfter({ ...page, headers }, error.retryAfterSeconds);
}

/** Shows an error within the interface. */
function screenFault(
  visit: ScreenVisit,
  { error, url }: { error: AppError; url: string },
): HttpResponse {
  const { texts } = visit;
  const status = STATUS_BY_CODE[error.code];
  const page = screenResponse(
    { ...visit, url },
    { title: texts.failed, fault: errorText(error, visit), content: html``, status },
  );
  return withErrorHeader(page, error, visit);
}

/** Answers requests for assets, and redirects `/admin` to the start screen. Null for other paths. */
function fixedResponse(request: HttpRequest): HttpResponse | null {
  const isRoot = /^\/admin\/?$/.test(request.url.pathname);
  return isRoot ? redirectResponse(DESK_PATH) : assetResponse(request);
}

async function answerRoute<V extends AdminVisit>(
  {
    page,
    handlePost,
    handleGet,
  }: {
    page: FormPage<V>;
    handlePost: ((visit: V, form: SentForm) => Promise<HttpResponse>) | null;
    handleGet?: (visit: V) => Promise<HttpResponse>;
  },
  visit: V,
  form: SentForm | null,
): Promise<HttpResponse> {
  const show = async (status: number, fault?: string) => {
    const { parts, texts, address } = visit;
    const unfilled = await page.content(visit);
    const restoresInput = form !== null && visit.signedIn?.session.stage !== "second_factor";
    const isCodeUnused = status === STATUS_OF_WRONG_FIELDS;
    const values = (name: string) => selectInputToRestore(form ?? EMPTY_FORM, name, isCodeUnused);
    const failed = { action: visit.address.pathname, form: { values }, isOutdated: true };
    const content = restoresInput ? refillForm(unfilled, failed) : unfilled;
    const pageContent = { title: page.title(texts), fault, content, scripts: page.scripts ?? [] };
    const { signedIn } = visit;
    if (signedIn?.session.stage === "open") {
      return screenResponse(
        { texts, parts, signedIn, address, url: page.path },
        { ...pageContent, status },
      );
    }
    const { name: siteName } = parts.reading.site();
    return adminPageResponse({ ...pageContent, texts, siteName }, status);
  };
  if (form === null && handleGet !== undefined) return await handleGet(visit);
  if (form === null || handlePost === null) return await show(200);
  try {
    return await handlePost(visit, form);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const status = error.code === "invalid" ? STATUS_OF_WRONG_FIELDS : STATUS_BY_CODE[error.code];
    return withErrorHeader(await show(status, errorText(error, visit)), error, visit);
  }
}

/** Reads the form of a POST; null for other methods. */
async function readAdminForm(request: HttpRequest, bytesMax: number): Promise<SentForm | null> {
  if (request.method !== "POST") return null;
  const sent = await readFormFromAnyOrigin(request, bytesMax);
  if ("status" in sent) {
    throw new AppError("unsupported", {
      en: sent.detail,
      de: "Dieses Formular kam in einer Form an, die hier niemand sendet: Öffnen Sie die Seite neu und senden Sie es von dort",
    });
  }
  return sent;
}

function missingResponse(
  request: HttpRequest,
  routesAtPath: readonly Pick<AdminRoute, "method">[],
  { texts, parts }: AdminVisit,
): HttpResponse {
  if (routesAtPath.length === 0) {
    const { name: siteName } = parts.reading.site();
    const content = html`<p><a class="button" href="${DESK_PATH}">${texts.nav.desk}</a></p>`;
    return adminPageResponse(
      { texts, title: texts.failed, siteName, fault: texts.noScreen, content },
      404,
    );
  }
  const Allow = routesAtPath
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  const detail = `${request.method} is not served here: use ${Allow}`;
  return negotiatedErrorResponse(request, { status: 405, detail }, { ...ADMIN_HEADERS, Allow });
}
