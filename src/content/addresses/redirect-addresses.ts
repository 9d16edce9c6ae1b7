import { AppError } from "../../errors.ts";
import type { ContentReader } from "../record.ts";
import { isReservedPath } from "./paths.ts";
import { pathOfAddress } from "./site-path.ts";

const ADDRESS_CHARACTERS_MAX = 1000;
/** Wildcards of other programs: `/blog/*`, `/blog/:slug`, `/blog/{slug}`. */
const PATTERN = /\*|\/:[a-z]|\{[^}]*\}/i;
/** The only reserved paths that a former site may have used. */
const FORMER_INDEX = /^\/index\.[a-z]{3,5}$/;

/**
 * Normalises an address of a former site as requests are normalised: decoded, without `.md`,
 * repeated and trailing slashes. Absolute URLs are accepted only with an `origin`.
 *
 * @throws {AppError} `invalid`, with `where` as the place of the problem.
 */
export function formerAddress(stated: string, origin: string | null, where: string): string {
  const given = stated.trim();
  if (/[?#]/.test(given)) {
    throw addressFault(where, "redirects go by path; leave out what follows ? or #");
  }
  if (!given.startsWith("/") && origin === null) {
    throw addressFault(where, `"${shortened(given)}" must start with "/"`);
  }
  if (given.length > ADDRESS_CHARACTERS_MAX) {
    throw addressFault(where, `is longer than ${ADDRESS_CHARACTERS_MAX} characters`);
  }
  const path = read(given.replaceAll(/\/{2,}/g, collapsed), { origin, where });
  if (path === "/") throw addressFault(where, "is the home page");
  if (/\/\.{1,2}(?:\/|$)/.test(path)) {
    throw addressFault(where, `"${path}" can never be asked for: browsers resolve . and ..`);
  }
  return path;
}

/** Keeps the two slashes after a scheme. */
function collapsed(slashes: string, at: number, all: string): string {
  return all[at - 1] === ":" ? slashes : "/";
}

function read(given: string, { origin, where }: { origin: string | null; where: string }): string {
  try {
    const path = pathOfAddress(given, origin ?? "https://site.invalid");
    return path.replaceAll(/\/{2,}/g, "/");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw addressFault(where, error.message);
  }
}

/** @throws {AppError} `invalid` for a pattern, or if the service answers at the path itself. */
export async function requireNoPage(
  content: ContentReader,
  path: string,
  isDocument: (path: string) => boolean,
  where = "from",
): Promise<void> {
  if (PATTERN.test(path)) {
    const advice = "patterns are not supported; state each address in full";
    throw addressFault(where, `"${shortened(path)}" looks like a pattern: ${advice}`);
  }
  if (isReservedPath(path) && !FORMER_INDEX.test(path)) {
    throw addressFault(where, `"${path}" is reserved for the service`);
  }
  if (isDocument(path)) throw addressFault(where, `"${path}" is a document of the site`);
  const types = [...(await content.types()).values()];
  const listed = types.find(({ listPath }) => listPath === path);
  if (listed !== undefined) throw addressFault(where, `"${path}" is the list of ${listed.plural}`);
}

export function addressFault(where: string, message: string): AppError {
  return new AppError("invalid", `Cannot redirect: ${where}: ${message}`, {
    problems: [{ where, message }],
  });
}

function shortened(given: string): string {
  return given.length <= 100 ? given : `${given.slice(0, 99)}…`;
}
