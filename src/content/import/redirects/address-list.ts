import { Parser } from "htmlparser2";
import Papa from "papaparse";
import { AppError } from "../../../errors.ts";

const PIECE_CHARACTERS = 64 * 1024;
/**
 * Maximum depth of nested elements. Sitemaps nest less deeply, and deeper elements would cost the parser
 * quadratic time.
 */
const DEPTH_MAX = 100;
/**
 * Maximum number of rows to read for each allowed address. It is two, because tables also have headings and
 * empty rows.
 */
const ROWS_PER_ADDRESS = 2;
const HEADING_CHARACTERS_MAX = 100;
/** Matches column names such as `url`, `Old address` or `Top pages`. */
const HEADING =
  /^(?:[^./]*[\s_-])?(?:url|uri|address(?:es)?|adressen?|path|pfad|pages?|seiten?|links?|loc|location|from|old|source|alt|von|quelle)(?:[\s_-][^./]*)?$/i;

/**
 * Yields each address of a sitemap, or of the first column of a list, as a path. The host is removed, because
 * the former site may have had another host. Yields other texts unchanged. Yields null for headings, comments
 * and empty cells, so that the caller can pause.
 *
 * @throws {AppError} `too_large` if a list has far more lines than `max`; `invalid` if a sitemap nests too deep.
 */
export function* parseAddressList(text: string, max: number): Generator<string | null> {
  const isSitemap = /<(?:urlset|sitemapindex)\b/.test(text.slice(0, 2000));
  const addresses = isSitemap ? locationsIn(text) : firstColumnIn(text, max * ROWS_PER_ADDRESS);
  let isFirst = true;
  for (const address of addresses) {
    const text = address.trim();
    const isHeading = isFirst && text.length <= HEADING_CHARACTERS_MAX && HEADING.test(text);
    isFirst = false;
    yield text === "" || text.startsWith("#") || isHeading ? null : (pathIn(text) ?? text);
  }
}

/** Whether a text that {@link parseAddressList} yielded is an address. */
export function isAddressPath(text: string): boolean {
  return text.startsWith("/");
}

export function tooManyAddressesError(max: number): AppError {
  return new AppError("too_large", {
    en: `The list has more than ${max} addresses; split it, or check it with the command line`,
    de: `Die Liste hat mehr als ${max} Adressen: Teilen Sie sie auf, oder prüfen Sie sie auf der Kommandozeile`,
  });
}

function nestedTooDeepError(): AppError {
  return new AppError("invalid", {
    en: "Cannot read the sitemap: it nests too deep",
    de: "Die Sitemap lässt sich nicht lesen: Sie ist zu tief verschachtelt",
  });
}

function firstColumnIn(text: string, rowsMax: number): string[] {
  const preview = Number.isFinite(rowsMax) ? rowsMax : 0;
  const { data, meta } = Papa.parse<string[]>(text, { skipEmptyLines: "greedy", preview });
  if (meta.truncated) throw tooManyAddressesError(rowsMax / ROWS_PER_ADDRESS);
  return data.map(([first = ""]) => first);
}

function pathIn(address: string): string | null {
  if (!/^(?:\/|https?:\/\/)/i.test(address)) return null;
  const url = URL.parse(address, "https://site.invalid");
  return url === null ? null : url.pathname + url.search;
}

function* locationsIn(xml: string): Generator<string> {
  let locations: string[] = [];
  let isLocation = false;
  let depth = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        depth += 1;
        if (depth > DEPTH_MAX) throw nestedTooDeepError();
        isLocation = name === "loc";
        if (isLocation) locations.push("");
      },
      ontext(text) {
        if (isLocation) locations.push((locations.pop() ?? "") + text);
      },
      onclosetag() {
        depth -= 1;
        isLocation = false;
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < xml.length; at += PIECE_CHARACTERS) {
    parser.write(xml.slice(at, at + PIECE_CHARACTERS));
    // The last address may continue in the next piece.
    const last = isLocation ? locations.splice(-1) : [];
    yield* locations;
    locations = last;
  }
  parser.end();
  yield* locations;
}
