import { signInThroughProvider } from "../../access/people/sign-in-provider.ts";
import { AppError } from "../../errors.ts";
import { html } from "../../render/html.ts";
import type { HttpResponse } from "../exchange.ts";
import type { AdminRoute, AdminVisit, FormPage } from "./admin-route.ts";
import { redirectResponse } from "./page.ts";
import { pendingSignInHeader } from "./session-cookie.ts";
import { SIGN_IN_PATH, SIGN_IN_PROVIDER_PATH, startBrowserSession } from "./sign-in.ts";

const CALLBACK_PATH = "/admin/provider/callback";
const FAILED_PATH = "/admin/provider/failed";

const failedPage: FormPage<AdminVisit> = {
  path: FAILED_PATH,
  title: ({ entering }) => entering.notSignedIn,
  content: ({ texts }) => html`<p>${texts.entering.providerFailed}</p>
<p><a href="${SIGN_IN_PATH}">${texts.entering.signIn}</a></p>`,
};

const GET_ROUTE = { needs: "nothing", method: "GET", page: failedPage, handlePost: null } as const;

/**
 * Routes for signing in at a provider. A link, not a form, leads to the first route, because the
 * content security policy blocks forms that redirect to another site.
 */
export const PROVIDER_ROUTES: readonly AdminRoute[] = [
  { ...GET_ROUTE, path: SIGN_IN_PROVIDER_PATH, handleGet: begin },
  { ...GET_ROUTE, path: CALLBACK_PATH, handleGet: finish },
  { ...GET_ROUTE, path: FAILED_PATH },
];

async function begin({ parts: { provider } }: AdminVisit): Promise<HttpResponse> {
  if (provider === null) throw noProvider();
  const { address, pending } = await provider.begin();
  return redirectResponse(address, pendingSignInHeader(pending));
}

/** Completes the sign-in. Always redirects, so that the code disappears from the address bar. */
async function finish(visit: AdminVisit): Promise<HttpResponse> {
  const { parts, pending, address: callback } = visit;
  const { provider, people } = parts;
  if (provider === null) throw noProvider();
  if (pending === null) return redirectResponse(FAILED_PATH);
  try {
    const opened = await signInThroughProvider(people, provider, { callback, pending }, visit);
    return await startBrowserSession(visit, opened);
  } catch (error) {
    if (error instanceof AppError) return redirectResponse(FAILED_PATH);
    throw error;
  }
}

function noProvider(): AppError {
  return new AppError("not_found", {
    en: "This site has no sign-in provider: use your password",
    de: "Diese Website hat keinen Anmeldedienst: Melden Sie sich mit Ihrem Passwort an",
  });
}
