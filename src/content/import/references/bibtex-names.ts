import { convertLatexToText } from "./latex-text.ts";
import { type PersonName, parseInvertedName } from "./reference-entry.ts";

/**
 * Parses the names in a BibTeX field, separated by `and`, such as `Jan van der Berg`, `van der
 * Berg, Jan`, `King, Jr., Martin Luther`, `{World Health Organization}`, or `family=Berg,
 * given=Jan`.
 */
export function parseBibtexNames(raw: string): PersonName[] {
  return splitOutsideBraces(raw, /\sand(?=[\s{])/gi).flatMap((name) => {
    const text = name.trim();
    return text === "" || /^others$/i.test(text) ? [] : (nameOf(text) ?? []);
  });
}

function nameOf(text: string): PersonName | null {
  if (isOneGroup(text)) return { literal: plainName(text) };
  if (/^\s*(?:family|given|prefix|suffix)\s*=/i.test(text)) return nameOfParts(text);
  const parts = splitOutsideBraces(text, /,/g).map((part) => part.trim());
  const [first = "", second = "", third] = parts;
  if (parts.length > 3) return parseInvertedName(plainName(text));
  if (parts.length === 1) return parseReadingOrder(first);
  const [given, suffix] = third === undefined ? [second, ""] : [third, second];
  if (given === "") return { literal: plainName(first) };
  return { family: plainName(first), given: plainName(given), suffix: plainName(suffix) };
}

/**
 * Parses a name in reading order. The family name begins with the first lower-case word, such as
 * `van`, or else is the last word.
 */
function parseReadingOrder(text: string): PersonName {
  const words = splitOutsideBraces(text, /[\s~]+/g).filter((word) => word !== "");
  if (words.length === 1) return { literal: plainName(text) };
  const particle = words.findIndex((word, at) => at < words.length - 1 && /^\p{Ll}/u.test(word));
  const at = particle < 0 ? words.length - 1 : particle;
  if (at === 0) return { literal: plainName(text) };
  const [given, family] = [words.slice(0, at), words.slice(at)].map((part) =>
    plainName(part.join(" ")),
  );
  return { family: family ?? "", given: given ?? "", suffix: "" };
}

/** Parses a name in BibLaTeX's extended format: `family=Berg, given=Jan`. */
function nameOfParts(text: string): PersonName | null {
  const parts = new Map(
    splitOutsideBraces(text, /,/g).map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return [name.trim().toLowerCase(), plainName(value.replace(/^\s*"(.*)"\s*$/s, "$1"))];
    }),
  );
  const [prefix, last] = [parts.get("prefix") ?? "", parts.get("family") ?? ""];
  const family = `${prefix} ${last}`.trim();
  const given = parts.get("given") ?? "";
  if (family === "" && given === "") return null;
  if (family === "" || given === "") return { literal: family || given };
  return { family, given, suffix: parts.get("suffix") ?? "" };
}

function plainName(raw: string): string {
  return convertLatexToText(raw) ?? raw;
}

function isOneGroup(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/\\.|[{}]/gs)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    // A group such as `{\"O}` is an accented letter, not a whole name.
    if (depth === 0) return index === text.length - 1 && !text.startsWith("{\\");
  }
  return false;
}

function splitOutsideBraces(text: string, separator: RegExp): string[] {
  const depths = new Int32Array(text.length + 1);
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const token = text[at];
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    depths[at] = depth;
  }
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(separator)) {
    if (depths[index] !== 0) continue;
    parts.push(text.slice(from, index));
    from = index + found.length;
  }
  return [...parts, text.slice(from)];
}
