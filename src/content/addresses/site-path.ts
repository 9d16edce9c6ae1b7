import { AppError } from "../../errors.ts";
import { canonicalPath, pagePathOfMarkdownPath } from "./addresses.ts";

const ADDRESS_CHARACTERS_MAX = 2000;
const URL_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * The canonical path of a page from any form of its address: absolute URL or path, with or without `.md`,
 * trailing slash, query, fragment and percent-encoding. With an empty origin only paths are accepted.
 *
 * @throws {AppError} `invalid` for an address that is malformed or belongs to another site.
 */
export function pathOfAddress(address: string, origin: string): string {
  const text = address.trim();
  if (text === "" || text.length > ADDRESS_CHARACTERS_MAX) {
    throw new AppError("invalid", {
      en: `An address has 1 to ${ADDRESS_CHARACTERS_MAX} characters, as ${origin}/about or /about`,
      de: `Eine Adresse hat 1 bis ${ADDRESS_CHARACTERS_MAX} Zeichen, zum Beispiel ${origin}/about oder /about`,
    });
  }
  const encoded = localPart(text, origin).replace(/[?#].*$/su, "");
  const path = canonicalPath(`/${decoded(encoded, text)}`);
  if (CONTROL_CHARACTER.test(path) || !path.isWellFormed()) throw unreadable(text);
  return pagePathOfMarkdownPath(path) ?? path;
}

/**
 * The part of an address after the host; a path is returned unchanged.
 *
 * @throws {AppError} `invalid` for an address that is malformed or belongs to another site.
 */
function localPart(text: string, origin: string): string {
  if (text.startsWith("/") && !text.startsWith("//")) return text;
  const host = URL.parse(origin)?.host ?? null;
  if (URL_SCHEME.test(text) || text.startsWith("//")) {
    const url = URL.parse(text, origin || undefined);
    if (url === null) throw unreadable(text);
    if (url.host !== host || !/^https?:$/.test(url.protocol)) {
      throw new AppError("invalid", {
        en: `${shortenAddress(text)} is not on this site: its addresses begin with ${origin}/`,
        de: `${shortenAddress(text)} ist nicht auf dieser Website: Ihre Adressen beginnen mit ${origin}/`,
      });
    }
    return url.pathname;
  }
  const startsWithHost = host !== null && text.toLowerCase().startsWith(`${host}/`);
  return startsWithHost ? text.slice(host.length) : text;
}

function decoded(path: string, text: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw unreadable(text, cause);
  }
}

function unreadable(text: string, cause?: unknown): AppError {
  return new AppError(
    "invalid",
    {
      en: `Cannot read "${shortenAddress(text)}" as an address`,
      de: `„${shortenAddress(text)}“ ist keine Adresse`,
    },
    { cause },
  );
}

/** An address cut to 100 characters, for messages. */
export function shortenAddress(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
