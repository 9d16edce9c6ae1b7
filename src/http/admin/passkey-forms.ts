import { isPasskeyHost } from "../../access/people/passkeys/passkey-host.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import type { AdminVisit } from "./admin-route.ts";
import { csrfTokenField } from "./screens/frame/frame.ts";

export const PASSKEY_SIGN_IN_PATH = "/admin/sign-in/passkey";
export const PASSKEY_CHALLENGE_PATH = "/admin/sign-in/passkey/challenge";

/** The form that signs in with a passkey; null if passkeys do not work at this address. */
export function passkeySignInForm(visit: AdminVisit): SafeHtml | null {
  if (!isPasskeyHost(visit.parts.passkeys.host)) return null;
  const paths = { challenge: PASSKEY_CHALLENGE_PATH, path: PASSKEY_SIGN_IN_PATH };
  return passkeyForm({ ...visit, token: null }, { kind: "get", ...paths });
}

/**
 * A hidden form. A script shows it where passkeys are available, and submits it with the device's
 * response.
 */
export function passkeyForm(
  { texts, parts, token }: Pick<AdminVisit, "texts" | "parts" | "token">,
  {
    kind,
    challenge,
    path,
    content,
  }: { kind: "create" | "get"; challenge: string; path: string; content?: SafeHtml },
): SafeHtml {
  const t = texts.entering.passkeys;
  const isNew = kind === "create";
  return html`<form method="post" action="${path}" class="narrow" hidden data-passkey="${kind}" data-challenge="${challenge}" data-cancelled="${isNew ? t.notAdded : t.cancelled}" data-exists="${t.exists}" data-wrong-address="${t.wrongAddress(parts.origin)}" data-failed="${t.failed}">
<input type="hidden" name="response">
${token !== null && csrfTokenField({ token })}${content}<p class="fault" role="alert" hidden></p>
<p><button class="quiet">${isNew ? t.add : t.signIn}</button></p>
</form>
`;
}
