import { isRecord } from "../../item-parsing.ts";
import { isVisibilityKey } from "../../not-public.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Keys that the import uses. Other default keys, such as `layout`, are ignored, because each would be
 * reported for every file.
 */
const DEFAULT_KEYS: ReadonlySet<string> = new Set([
  ..."author authors categories category description lang language permalink status tags".split(
    " ",
  ),
  "title",
]);

interface Scope {
  /**
   * Path segments of the folder or file to which the values apply; each may have wildcards. Empty: all
   * files.
   */
  path: readonly string[];
  pathCharacters: number;
  /** `posts`, `drafts`, `pages` or a collection; null: files of every type. */
  type: string | null;
  values: Values;
}

/**
 * Default front matter for files, from Jekyll's settings
 * (https://jekyllrb.com/docs/configuration/front-matter-defaults/). More specific scopes take precedence.
 *
 * @param raw the value of `defaults` in the settings.
 * @returns the values for a file of the folder.
 */
export function parseJekyllFrontMatterDefaults(raw: unknown): (file: string) => Values {
  const scopes = [raw].flat().flatMap((each) => scopeOf(each) ?? []);
  scopes.sort(
    (a, b) =>
      a.pathCharacters - b.pathCharacters || Number(a.type !== null) - Number(b.type !== null),
  );
  return (file) => {
    const type = typeOfFile(file);
    const names = file.split("/");
    const given = scopes.filter((scope) => {
      const isOfType = scope.type === null || scope.type === type;
      return isOfType && scope.path.every((pattern, at) => matches(pattern, names[at] ?? ""));
    });
    return Object.assign({}, ...given.map(({ values }) => values));
  };
}

function scopeOf(raw: unknown): Scope | null {
  if (!isRecord(raw) || !isRecord(raw["values"])) return null;
  const scope = isRecord(raw["scope"]) ? raw["scope"] : {};
  const path = String(scope["path"] ?? "").replace(/^\.?\/|\/$/g, "");
  return {
    path: path === "" ? [] : path.split("/"),
    pathCharacters: path.length,
    type: typeof scope["type"] === "string" ? scope["type"] : null,
    values: pickDefaultsUsedByImport(raw["values"]),
  };
}

/** Selects the values whose keys the import uses. */
export function pickDefaultsUsedByImport(values: Values): Values {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.filter(([key]) => DEFAULT_KEYS.has(key) || isVisibilityKey(key)),
  );
}

/**
 * Whether a name matches a pattern such as `20*`. Uses no regular expression, because backtracking could take
 * forever on a hostile pattern.
 */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.length >= at + last.length && name.endsWith(last);
}

function typeOfFile(file: string): string {
  if (/(?:^|\/)_posts\//.test(file)) return "posts";
  if (/(?:^|\/)_drafts\//.test(file)) return "drafts";
  return /^_([^/]+)\//.exec(file)?.[1] ?? "pages";
}
