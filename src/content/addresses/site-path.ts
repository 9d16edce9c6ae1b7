import { AppError } from "../../errors.ts";
import { pageOfMarkdownPath } from "./addresses.ts";

const ADDRESS_CHARACTERS_MAX = 2000;
const URL_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * The canonical path of a page from any form of its address: absolute URL or path, with or without
 * `.md`, trailing slash, query, fragment and percent-encoding. With an empty origin only paths are
 * accepted.
 *
 * @throws {AppError} `invalid` for a malformed address or another site's.
 */
export function pathOfAddress(address: string, origin: string): string {
  const given = address.trim();
  if (given === "" || given.length > ADDRESS_CHARACTERS_MAX) {
    throw new AppError("invalid", {
      en: `An address has 1 to ${ADDRESS_CHARACTERS_MAX} characters, as ${origin}/about or /about`,
      de: `Eine Adresse hat 1 bis ${ADDRESS_CHARACTERS_MAX} Zeichen, zum Beispiel ${origin}/about oder /about`,
    });
  }
  const encoded = localPart(given, origin).replace(/[?#].*$/su, "");
  const path = `/${decoded(encoded, given)}`.normalize("NFC").replace(/^\/+/u, "/");
  if (CONTROL_CHARACTER.test(path) || !path.isWellFormed()) throw unreadable(given);
  return withoutEnding(path);
}

/** The part after the host. */
function localPart(given: string, origin: string): string {
  if (given.startsWith("/") && !given.startsWith("//")) return given;
  const host = URL.parse(origin)?.host ?? null;
  if (URL_SCHEME.test(given) || given.startsWith("//")) {
    const url = URL.parse(given, origin || undefined);
    if (url === null) throw unreadable(given);
    if (url.host !== host || !/^https?:$/.test(url.protocol)) {
      throw new AppError("invalid", {
        en: `${shortened(given)} is not on this site: its addresses begin with ${origin}/`,
        de: `${shortened(given)} ist nicht auf dieser Website: Ihre Adressen beginnen mit ${origin}/`,
      });
    }
    return url.pathname;
  }
  const withHost = host !== null && given.toLowerCase().startsWith(`${host}/`);
  return withHost ? given.slice(host.length) : given;
}

function decoded(path: string, given: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw unreadable(given, cause);
  }
}

function withoutEnding(path: string): string {
  const bare = path.replace(/(?<=.)\/+$/u, "");
  return pageOfMarkdownPath(bare) ?? bare;
}

function unreadable(given: string, cause?: unknown): AppError {
  return new AppError(
    "invalid",
    {
      en: `Cannot read "${shortened(given)}" as an address`,
      de: `„${shortened(given)}“ ist keine Adresse`,
    },
    { cause },
  );
}

function shortened(given: string): string {
  return given.length <= 100 ? given : `${given.slice(0, 99)}…`;
}
