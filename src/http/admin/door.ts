import { findSession } from "../../access/people/sessions.ts";
import { AppError } from "../../errors.ts";
import { html } from "../../render/html.ts";
import { refillForm } from "../../render/refilled-form.ts";
import { currentTracer } from "../../tracing.ts";
import { isFileForm } from "../api/arriving-form.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import { negotiatedErrorAnswer, STATUS_BY_CODE } from "../problem.ts";
import { withRetryAfter } from "../retry-after.ts";
import { readFormFromAnyOrigin, type SentForm } from "../site/sent-form.ts";
import { confirmPasswordPath } from "./account.ts";
import type { AdminParts, AdminRoute, FormPage, SignedInVisit, Visit } from "./admin-route.ts";
import { assetAnswer } from "./assets.ts";
import { compressedPage } from "./compression.ts";
import { plainHttpFault, requireFormToken, requireSameOrigin } from "./csrf.ts";
import {
  confirmSession,
  EMPTY_FORM,
  failedFormPage,
  inputToRestore,
  screenVisit,
  withFaultHeader,
} from "./failed-forms.ts";
import { faultText } from "./fault-text.ts";
import { withFileForm, withStreamedForm } from "./file-form.ts";
import { ADMIN_HEADERS, pageAnswer, redirectAnswer } from "./page.ts";
import { ADMIN_ROUTES } from "./routes.ts";
import { screenAnswer } from "./screens/frame/frame.ts";
import { matchPath, type Screen, type ScreenVisit } from "./screens/frame/screen.ts";
import { SCREENS } from "./screens.ts";
import {
  passkeyChallengeSecret,
  pendingSignInState,
  sessionToken,
  signOutHeader,
} from "./session-cookie.ts";
import { ACCOUNT_PATH, DESK_PATH, SECOND_FACTOR_PATH, SIGN_IN_PATH } from "./sign-in.ts";
import { textsForAcceptLanguage } from "./texts/choose.ts";

interface Notice {
  title: string;
  fault: string;
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Whether the sign-in link opens in a new tab. Reloading this tab then sends the form again. */
  opensTab?: boolean;
}

/** Size limit of forms with a text of up to 1 MiB, which form encoding can triple. */
const TEXT_FORM_BYTES_MAX = 4 * 1024 * 1024;
/** Size limit of forms outside the screens, such as the sign-in form, which anybody can send. */
const SHORT_FORM_BYTES_MAX = 16 * 1024;
const STATUS_OF_WRONG_FIELDS = 422;

type AdminHandler = (request: HttpRequest) => Promise<HttpAnswer>;

/**
 * The pages for administrators. Checks in this order: the route (404, 405); whether browsers store
 * a session cookie at this origin (403); whether a POST comes from one of our pages (403); the
 * session; whether the body is a form (415, 413); the form's token (403).
 */
export function openAdminDoor(parts: AdminParts): AdminHandler {
  return async (request) => await compressedPage(request, await answerUncompressed(request, parts));
}

async function answerUncompressed(request: HttpRequest, parts: AdminParts): Promise<HttpAnswer> {
  const { pathname } = request.url;
  const fixed = fixedAnswer(request);
  if (fixed !== null) return fixed;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const routesAtPath = [
    ...ADMIN_ROUTES.filter(({ path }) => path === pathname),
    ...SCREENS.filter(({ path }) => matchPath(path, pathname) !== null),
  ];
  const route = routesAtPath.find((each) => each.method === method);
  const visit: Visit = {
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
  if (route === undefined) return missingAnswer(request, routesAtPath, visit);
  currentTracer()?.describeRequest({ "http.route": route.path });
  const fault = plainHttpFault(parts.origin);
  if (fault !== null)
    return notice(visit, {
      title: visit.texts.entering.signIn,
      fault: fault[visit.texts.language],
      status: 403,
    });
  try {
    return await answer(request, route, visit);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const page = notice(visit, {
      title: visit.texts.failed,
      fault: faultText(error, visit),
      status: STATUS_BY_CODE[error.code],
    });
    return withFaultHeader(page, error, visit);
  }
}

async function answer(
  request: HttpRequest,
  route: AdminRoute | Screen,
  visit: Visit,
): Promise<HttpAnswer> {
  const { token, parts, now } = visit;
  if (route.method === "POST") requireSameOrigin(request, parts.origin);
  if ("needs" in route && route.needs === "nothing") {
    return await answerRoute(route, visit, await readAdminForm(request, SHORT_FORM_BYTES_MAX));
  }
  const signedIn = token === null ? null : await findSession(parts.people, token, now);
  if (token === null || signedIn === null) return signInFirst(route, visit);
  const isScreen = "scope" in route;
  if (isScreen && route.takesFiles !== undefined && isFileForm(request)) {
    return await answerFiles(request, route, { ...visit, token, signedIn });
  }
  const form = await readAdminForm(request, isScreen ? TEXT_FORM_BYTES_MAX : SHORT_FORM_BYTES_MAX);
  const isOpen = signedIn.session.stage === "open";
  const needsOpen = isScreen || route.needs === "session";
  if (needsOpen !== isOpen) return redirectAnswer(isOpen ? ACCOUNT_PATH : SECOND_FACTOR_PATH);
  const signedInVisit: SignedInVisit = { ...visit, token, signedIn };
  if (isScreen) return await answerScreen(request, route, { visit: signedInVisit, form });
  if (form !== null) requireFormToken(form, token);
  return await answerRoute(route, signedInVisit, form);
}

async function answerFiles(
  request: HttpRequest,
  screen: Screen,
  visit: SignedInVisit,
): Promise<HttpAnswer> {
  if (visit.signedIn.session.stage !== "open") return redirectAnswer(SECOND_FACTOR_PATH);
  const respond = (form: SentForm) => answerScreen(request, screen, { visit, form });
  if (screen.takesFiles === "whole") return await withFileForm(request, respond);
  return await withStreamedForm(request, visit.parts.draining, respond);
}

async function answerScreen(
  request: HttpRequest,
  screen: Screen,
  { visit, form }: { visit: SignedInVisit; form: SentForm | null },
): Promise<HttpAnswer> {
  const { pathname, searchParams: query } = request.url;
  const fullVisit = screenVisit(screen, visit, { pathname, query });
  try {
    if (form === null) return await screen.answer(fullVisit, EMPTY_FORM);
    requireFormToken(form, visit.token);
    return await screen.answer({ ...fullVisit, signedIn: await confirmSession(visit, form) }, form);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (form === null && error.code === "unconfirmed")
      return redirectAnswer(confirmPasswordPath(pathname));
    const isWaiting = screen.method === "GET" && error.retryAfterSeconds !== undefined;
    if (isWaiting) return waitingScreen(fullVisit, { error, url: pathname });
    const formPage =
      form === null ? null : await failedFormPage(request, fullVisit, { error, form });
    return formPage ?? screenFault(fullVisit, { error, url: pathname });
  }
}

/** A page that says what is being prepared, such as the editors' index, and reloads by itself. */
function waitingScreen(
  visit: ScreenVisit,
  { error, url }: { error: AppError; url: string },
): HttpAnswer {
  const { waiting, waitingHint } = visit.texts;
  const content = html`<p role="status">${faultText(error, visit)}.</p>\n<p>${waitingHint}</p>\n`;
  const status = STATUS_BY_CODE[error.code];
  const page = screenAnswer({ ...visit, url }, { title: waiting, content, status });
  const headers = { ...page.headers, Refresh: String(error.retryAfterSeconds) };
  return withRetryAfter({ ...page, headers }, error.retryAfterSeconds);
}

/** Shows an error within the interface. */
function screenFault(
  visit: ScreenVisit,
  { error, url }: { error: AppError; url: string },
): HttpAnswer {
  const { texts } = visit;
  const status = STATUS_BY_CODE[error.code];
  const page = screenAnswer(
    { ...visit, url },
    { title: texts.failed, fault: faultText(error, visit), content: html``, status },
  );
  return withFaultHeader(page, error, visit);
}

/** Answers requests for assets, and redirects `/admin` to the start screen. Null for other paths. */
function fixedAnswer(request: HttpRequest): HttpAnswer | null {
  const isRoot = /^\/admin\/?$/.test(request.url.pathname);
  return isRoot ? redirectAnswer(DESK_PATH) : assetAnswer(request);
}

async function answerRoute<V extends Visit>(
  {
    page,
    handlePost,
    handleGet,
  }: {
    page: FormPage<V>;
    handlePost: ((visit: V, form: SentForm) => Promise<HttpAnswer>) | null;
    handleGet?: (visit: V) => Promise<HttpAnswer>;
  },
  visit: V,
  form: SentForm | null,
): Promise<HttpAnswer> {
  const show = async (status: number, fault?: string) => {
    const { parts, texts, address } = visit;
    const unfilled = await page.content(visit);
    const restoresInput = form !== null && visit.signedIn?.session.stage !== "second_factor";
    const isCodeUnused = status === STATUS_OF_WRONG_FIELDS;
    const values = (name: string) => inputToRestore(form ?? EMPTY_FORM, name, isCodeUnused);
    const failed = { action: visit.address.pathname, form: { values }, isOutdated: true };
    const content = restoresInput ? refillForm(unfilled, failed) : unfilled;
    const pageContent = { title: page.title(texts), fault, content, scripts: page.scripts ?? [] };
    const { signedIn } = visit;
    if (signedIn?.session.stage === "open") {
      return screenAnswer(
        { texts, parts, signedIn, address, url: page.path },
        { ...pageContent, status },
      );
    }
    const { name: siteName } = parts.reading.site();
    return pageAnswer({ ...pageContent, texts, siteName }, status);
  };
  if (form === null && handleGet !== undefined) return await handleGet(visit);
  if (form === null || handlePost === null) return await show(200);
  try {
    return await handlePost(visit, form);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const status = error.code === "invalid" ? STATUS_OF_WRONG_FIELDS : STATUS_BY_CODE[error.code];
    return withFaultHeader(await show(status, faultText(error, visit)), error, visit);
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

function signInFirst({ method }: Pick<AdminRoute, "method">, visit: Visit): HttpAnswer {
  const headers = visit.token === null ? {} : signOutHeader();
  if (method === "GET") return redirectAnswer(SIGN_IN_PATH, headers);
  const { entering } = visit.texts;
  const fault = entering.sessionEnded;
  return notice(visit, {
    title: entering.signInFirst,
    fault,
    status: 401,
    headers: { ...headers, "X-Fault": encodeURIComponent(fault) },
    opensTab: true,
  });
}

function missingAnswer(
  request: HttpRequest,
  routesAtPath: readonly Pick<AdminRoute, "method">[],
  { texts, parts }: Visit,
): HttpAnswer {
  if (routesAtPath.length === 0) {
    const { name: siteName } = parts.reading.site();
    const content = html`<p><a class="button" href="${DESK_PATH}">${texts.nav.desk}</a></p>`;
    return pageAnswer(
      { texts, title: texts.failed, siteName, fault: texts.noScreen, content },
      404,
    );
  }
  const Allow = routesAtPath
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  const detail = `${request.method} is not served here: use ${Allow}`;
  return negotiatedErrorAnswer(request, { status: 405, detail }, { ...ADMIN_HEADERS, Allow });
}

function notice(
  { parts, texts }: Visit,
  { title, fault, status, headers, opensTab = false }: Notice,
): HttpAnswer {
  const { name: siteName } = parts.reading.site();
  const content = html`<p><a class="button" href="${SIGN_IN_PATH}"${opensTab && html` target="_blank"`}>${texts.entering.signIn}</a></p>`;
  return pageAnswer({ texts, title, siteName, fault, content }, status, headers);
}
