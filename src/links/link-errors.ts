import type { Wording } from "../errors.ts";
import { translateConnectionError } from "../webhooks/connection-errors.ts";
import type { Link } from "./link.ts";

/** Maximum number of redirects that a check follows. */
export const REDIRECTS_MAX = 5;

/** Fault of a link to a page that this site does not have. */
export const NO_SUCH_PAGE: Wording = {
  en: "There is no such page on this site",
  de: "Diese Seite gibt es auf der Website nicht",
};
/** Fault of a link to a file that this site does not have. */
export const NO_SUCH_FILE: Wording = {
  en: "There is no such file on this site",
  de: "Diese Datei gibt es auf der Website nicht",
};
export const REDIRECT_TO_BUSY_HOST: Wording = {
  en: "Its redirect leads to a host that is asked much",
  de: "Die Weiterleitung führt zu einem Rechner, der oft gefragt wird",
};
export const NO_REDIRECT_TARGET: Wording = {
  en: "Its redirect leads nowhere",
  de: "Die Weiterleitung führt nirgendwohin",
};
export const REDIRECT_LOOP: Wording = {
  en: "Its redirects go in a circle",
  de: "Die Weiterleitungen führen im Kreis",
};
export const TOO_MANY_REDIRECTS: Wording = {
  en: `It redirects more than ${REDIRECTS_MAX} times`,
  de: `Sie leitet mehr als ${REDIRECTS_MAX}-mal weiter`,
};
export const NOT_A_WEB_URL: Wording = {
  en: "It leads to no web page",
  de: "Sie führt zu keiner Seite im Web",
};
export const PASSWORD_IN_URL: Wording = {
  en: "It contains a name or password",
  de: "Sie enthält einen Namen oder ein Passwort",
};
export const PRIVATE_NETWORK: Wording = {
  en: "It leads into a private network",
  de: "Sie führt in ein privates Netz",
};

const KNOWN_FAULTS: readonly Wording[] = [
  NO_SUCH_PAGE,
  NO_SUCH_FILE,
  REDIRECT_TO_BUSY_HOST,
  NO_REDIRECT_TARGET,
  REDIRECT_LOOP,
  TOO_MANY_REDIRECTS,
  NOT_A_WEB_URL,
  PASSWORD_IN_URL,
  PRIVATE_NETWORK,
];

/** Fault of a link whose address responds with an HTTP status other than 2xx. */
export function describeHttpStatusError(status: number | null): Wording {
  return { en: `It answers ${status}`, de: `Sie antwortet mit ${status}` };
}

/** Translates a link's fault, which is stored in English, into every language. */
export function translateLinkError({
  fault,
  status,
}: Pick<Link, "fault" | "status">): Wording | null {
  if (fault === null) return null;
  return (
    [describeHttpStatusError(status), ...KNOWN_FAULTS].find(({ en }) => en === fault) ??
    translateConnectionError(fault)
  );
}
