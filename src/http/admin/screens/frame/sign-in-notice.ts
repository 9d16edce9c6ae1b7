import { html } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { AdminVisit } from "../../admin-route.ts";
import { adminPageResponse } from "../../page.ts";
import { SIGN_IN_PATH } from "../../sign-in.ts";

interface SignInNotice {
  title: string;
  fault: string;
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Whether the sign-in link opens in a new tab. Reloading this tab then sends the form again. */
  opensTab?: boolean;
}

/** A page that says why the visitor has to sign in. */
export function signInNotice(
  { parts, texts }: AdminVisit,
  { title, fault, status, headers, opensTab = false }: SignInNotice,
): HttpResponse {
  const { name: siteName } = parts.reading.site();
  const content = html`<p><a class="button" href="${SIGN_IN_PATH}"${opensTab && html` target="_blank"`}>${texts.entering.signIn}</a></p>`;
  return adminPageResponse({ texts, title, siteName, fault, content }, status, headers);
}
