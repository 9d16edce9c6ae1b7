import { csrfTokenOf } from "../../../../access/people/sessions.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { refillForm } from "../../../../render/refilled-form.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { SignedInVisit } from "../../admin-route.ts";
import { CSRF_TOKEN_FIELD } from "../../csrf.ts";
import { adminPageResponse, isRedirectAfterSave } from "../../page.ts";
import { navigationHtml } from "./navigation.ts";
import type { ScreenVisit } from "./screen.ts";
import { FRAME_SCRIPT_PATH } from "./scripts.ts";
import { viewOnSitePath } from "./view-path.ts";

interface ScreenContent {
  title: string;
  content: SafeHtml;
  /** The error message of the submitted form, if the form has failed. */
  fault?: string | undefined;
  status?: number;
  /** Addresses of scripts that enhance the screen, which also works without them. */
  scripts?: readonly string[];
  /** Seconds after which a browser without scripts loads the page again; absent: never. */
  refreshSeconds?: number | undefined;
}

type FrameVisit = Pick<SignedInVisit, "texts" | "parts" | "signedIn" | "address"> &
  Pick<ScreenVisit, "failed">;

/**
 * Renders a screen with the navigation around it. `url` determines the current entry of the
 * navigation. If a form has failed, the screen shows the error and repeats the input.
 */
export function screenResponse(
  { texts, parts, signedIn, address, failed, url }: FrameVisit & { url: string },
  shown: ScreenContent,
): HttpResponse {
  const { title, scripts = [], refreshSeconds } = shown;
  const { fault, status = 200 } = failed ?? shown;
  const content = failed === undefined ? shown.content : refillForm(shown.content, failed);
  const { name: siteName, hidden } = parts.reading.site();
  const { scopes } = signedIn.actor;
  const links = navigationHtml(texts, {
    scopes,
    url,
    sitePath: hidden ? viewOnSitePath("/") : "/",
  });
  const canOpen = scopes.includes("settings:write");
  const notice =
    hidden &&
    html`<p class="notes">${texts.settings.isHidden}. <a href="${viewOnSitePath("/")}">${texts.nav.site}</a>${canOpen && html` · <a href="/admin/settings">${texts.settings.open}</a>`}</p>\n`;
  const saved =
    isRedirectAfterSave(address) && html`<p class="saved" role="status">${texts.saved}</p>\n`;
  const header = html`<a class="skip" href="#main-content">${texts.nav.skip}</a>
<header data-copy="${texts.copy}" data-copied="${texts.copied}">
<p class="site-name"><a href="/admin/desk">${siteName}</a></p>
<form class="find" role="search" action="/admin/find"><label class="visually-hidden" for="find">${texts.find.label}</label><input id="find" type="search" name="q" placeholder="${texts.find.label}" aria-keyshortcuts="/ Control+K"><button class="quiet">${texts.find.button}</button></form>
<button type="button" class="quiet menu" popovertarget="menu">${texts.nav.menu}</button>
</header>
<nav id="menu" popover aria-label="${texts.nav.label}">
${links}</nav>`;
  const all = [FRAME_SCRIPT_PATH, ...scripts];
  return adminPageResponse(
    {
      texts,
      title,
      siteName,
      fault,
      content: html`${notice}${saved}${content}`,
      header,
      scripts: all,
      refreshSeconds,
    },
    status,
  );
}

/** A form with one button, for an action on what the screen shows. */
export function actionForm(
  { token }: Pick<SignedInVisit, "token">,
  path: string,
  {
    button,
    hidden = {},
    content,
    isQuiet = false,
  }: {
    button: string;
    hidden?: Readonly<Record<string, string | number>>;
    content?: SafeHtml;
    isQuiet?: boolean;
  },
): SafeHtml {
  return html`<form method="post" action="${path}" class="action">
${hiddenFields(hidden)}${csrfTokenField({ token })}${content}<button${isQuiet && html` class="quiet"`}>${button}</button>
</form>
`;
}

/** The CSRF token of a session as a form field. */
export function csrfTokenField({ token }: Pick<SignedInVisit, "token">): SafeHtml {
  return hiddenFields({ [CSRF_TOKEN_FIELD]: csrfTokenOf(token) });
}

export function hiddenFields(values: Readonly<Record<string, string | number>>): SafeHtml {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`${fields}`;
}
