import { timingSafeEqual } from "node:crypto";
import { csrfTokenOf } from "../../access/people/sessions.ts";
import { AppError, type Wording } from "../../errors.ts";
import type { HttpRequest } from "../exchange.ts";
import type { SentForm } from "../site/sent-form.ts";

/** The form field with the session's CSRF token. */
export const CSRF_TOKEN_FIELD = "token";

/** Why browsers would not store a session cookie from this origin; null if they would. */
export function findSessionCookieError(origin: string): Wording | null {
  const { protocol, hostname } = new URL(origin);
  if (protocol === "https:" || isLoopback(hostname)) return null;
  return {
    en: `Sign-in does not work at ${origin}: over plain HTTP anybody on the way could take the session, and browsers keep none. Put a proxy with TLS in front, set PUBLIC_URL to its https:// address and use that`,
    de: `Unter ${origin} geht die Anmeldung nicht: Ohne https könnte unterwegs jemand die Sitzung übernehmen, und Browser behalten keine. Stellen Sie einen Proxy mit TLS davor, setzen Sie PUBLIC_URL auf seine https://-Adresse, und verwenden Sie diese`,
  };
}

/**
 * CSRF check: a form must come from a page of this site. `Sec-Fetch-Site` takes precedence over
 * `Origin`, because it is correct even if the site was opened under another host name. A form with
 * neither header is refused.
 *
 * @throws {AppError} `forbidden`.
 */
export function requireSameOrigin(request: Pick<HttpRequest, "header">, origin: string): void {
  const site = request.header("sec-fetch-site");
  const from = request.header("origin");
  const isOwn = site === undefined ? from === origin : site === "same-origin";
  if (isOwn) return;
  const sentFrom = URL.canParse(from ?? "") ? new URL(from ?? "").origin : null;
  const fault = sentFrom?.startsWith("http:") === true ? findSessionCookieError(sentFrom) : null;
  throw new AppError(
    "forbidden",
    fault ?? {
      en: `This form was not sent from a page of ${origin}: open the page there and send it again`,
      de: `Dieses Formular kam nicht von einer Seite von ${origin}: Öffnen Sie die Seite dort und senden Sie es noch einmal`,
    },
  );
}

/** Second CSRF check: the form must contain the session's token. @throws {AppError} `forbidden`. */
export function requireCsrfToken(form: SentForm, sessionToken: string): void {
  const givenToken = Buffer.from(form.value(CSRF_TOKEN_FIELD));
  const expectedToken = Buffer.from(csrfTokenOf(sessionToken));
  if (givenToken.length === expectedToken.length && timingSafeEqual(givenToken, expectedToken))
    return;
  throw new AppError("forbidden", {
    en: "This form belongs to another session, and nothing was changed: open the page again, check it and send it from there",
    de: "Dieses Formular gehört zu einer anderen Sitzung, und es wurde nichts geändert: Öffnen Sie die Seite neu, prüfen Sie sie und senden Sie es von dort",
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
