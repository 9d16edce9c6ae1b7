import { isRecord } from "../../item-parsing.ts";

type Values = Readonly<Record<string, unknown>>;

/** Keys that matter here; others, such as `layout`, would be reported as left out for every file. */
const DEFAULT_KEYS: ReadonlySet<string> = new Set([
  ..."author authors categories category description draft lang language permalink".split(" "),
  ..."published tags title".split(" "),
]);

interface Scope {
  /** Matches the start of the paths of its files. */
  path: RegExp;
  pathCharacters: number;
  /** `posts`, `drafts`, `pages` or a collection; null: any. */
  type: string | null;
  values: Values;
}

/**
 * Front matter that Jekyll's settings give to files that do not state it themselves
 * (https://jekyllrb.com/docs/configuration/front-matter-defaults/). More specific scopes take precedence.
 *
 * @param raw the value of `defaults` in the settings.
 * @returns the values for a file of the folder.
 */
export function frontMatterDefaults(raw: unknown): (file: string) => Values {
  const scopes = [raw].flat().flatMap((each) => scopeOf(each) ?? []);
  scopes.sort(
    (a, b) =>
      a.pathCharacters - b.pathCharacters || Number(a.type !== null) - Number(b.type !== null),
  );
  return (file) => {
    const type = typeOfFile(file);
    const given = scopes.filter((scope) => {
      return (scope.type === null || scope.type === type) && scope.path.test(file);
    });
    return Object.assign({}, ...given.map(({ values }) => values));
  };
}

function scopeOf(raw: unknown): Scope | null {
  if (!isRecord(raw) || !isRecord(raw["values"])) return null;
  const scope = isRecord(raw["scope"]) ? raw["scope"] : {};
  const path = String(scope["path"] ?? "").replace(/^\.?\/|\/$/g, "");
  const values = Object.entries(raw["values"]).filter(([key]) => DEFAULT_KEYS.has(key));
  return {
    path: startsWith(path),
    pathCharacters: path.length,
    type: typeof scope["type"] === "string" ? scope["type"] : null,
    values: Object.fromEntries(values),
  };
}

const WILDCARDS_MAX = 5;

/** `docs`, `section/*\/special-page.html` */
function startsWith(path: string): RegExp {
  const pieces = path.split(/\*+/, WILDCARDS_MAX + 1).map((piece) => RegExp.escape(piece));
  return path === "" ? /^/ : new RegExp(`^${pieces.join("[^/]*")}(?:/|$)`);
}

function typeOfFile(file: string): string {
  if (/(?:^|\/)_posts\//.test(file)) return "posts";
  if (/(?:^|\/)_drafts\//.test(file)) return "drafts";
  return /^_([^/]+)\//.exec(file)?.[1] ?? "pages";
}
