import {
  CACHE_FOREVER,
  encodedAddress,
  GONE_FOLDER,
  type Host,
  IMMUTABLE_FOLDERS,
  patternFolder,
  type RuleFile,
  type RuleInput,
  WEB_ROOT,
} from "./host.ts";

/** https://developers.cloudflare.com/pages/configuration/redirects/ and …/platform/limits/ */
const CLOUDFLARE_LIMITS = { exact: 2000, patterns: 100, lineCharacters: 1000, files: 20_000 };

export const netlify: Host = {
  readsPageNumbers: false,
  answersGone: true,
  rules(input) {
    const moved = movedAddresses(input).map(({ from, to }) => {
      const [path = "", query = ""] = encodedAddress(from).split("?");
      return `${path} ${query === "" ? "" : `${query.replaceAll("&", " ")} `}${to} 301`;
    });
    const gone = input.former
      .filter(({ kind }) => kind === "gone")
      .map(({ from }) => {
        const to = patternFolder(from) === null ? `/${GONE_FOLDER}${from}.html` : "/404.html";
        return `${encodedAddress(from)} ${encodeURI(to)} 410`;
      });
    return [textFile("_redirects", [...moved, ...gone]), headerFile(input)];
  },
  limits: () => [],
};

export const cloudflare: Host = {
  readsPageNumbers: false,
  answersGone: false,
  rules(input) {
    const { exact, patterns } = cloudflareRules(input);
    const redirects = [
      ...exact.slice(0, CLOUDFLARE_LIMITS.exact),
      ...patterns.slice(0, CLOUDFLARE_LIMITS.patterns),
    ];
    return [textFile("_redirects", redirects), headerFile(input)];
  },
  limits(input) {
    const { exact, patterns, tooLong } = cloudflareRules(input);
    const { files } = input;
    return [
      ...overLimit(
        exact.length - CLOUDFLARE_LIMITS.exact,
        `redirects beyond the ${CLOUDFLARE_LIMITS.exact} that Cloudflare takes`,
      ),
      ...overLimit(
        patterns.length - CLOUDFLARE_LIMITS.patterns,
        `patterns beyond the ${CLOUDFLARE_LIMITS.patterns} that Cloudflare takes`,
      ),
      ...overLimit(
        tooLong,
        `redirects of more than ${CLOUDFLARE_LIMITS.lineCharacters} characters`,
      ),
      ...overLimit(
        queryCount(input),
        "former addresses with a query, which Cloudflare does not distinguish",
      ),
      ...overLimit(
        goneCount(input),
        "withdrawn addresses, which Cloudflare answers with 404 instead of 410",
      ),
      ...(files > CLOUDFLARE_LIMITS.files
        ? [`${files} files: Cloudflare takes ${CLOUDFLARE_LIMITS.files} without a paid plan`]
        : []),
    ];
  },
};

export const githubPages: Host = {
  readsPageNumbers: false,
  answersGone: false,
  rules(input) {
    // Otherwise GitHub leaves out folders that begin with a dot or an underscore.
    const noJekyll = { name: `${WEB_ROOT}/.nojekyll`, text: "" };
    const pages = movedAddresses(input).flatMap(({ from, to }) => {
      const name = redirectPageName(from);
      return name === null || input.has(name)
        ? []
        : [{ name: `${WEB_ROOT}/${name}`, text: redirectPage(to, input.origin) }];
    });
    return [noJekyll, ...pages];
  },
  limits(input) {
    const moved = movedAddresses(input);
    const patterns = moved.filter(({ from }) => patternFolder(from) !== null).length;
    const others = moved.filter(
      ({ from }) => redirectPageName(from) === null && patternFolder(from) === null,
    ).length;
    return [
      "GitHub Pages sends no headers of your own, and redirects by pages",
      ...overLimit(patterns, "redirects of patterns, which GitHub Pages does not have"),
      ...overLimit(
        others,
        "redirects of addresses that are not pages (with a query, .md, .php and the like)",
      ),
      ...overLimit(
        goneCount(input),
        "withdrawn addresses, which GitHub Pages answers with 404 instead of 410",
      ),
    ];
  },
};

interface MovedAddress {
  from: string;
  to: string;
}

function movedAddresses({ former }: RuleInput): MovedAddress[] {
  return former.flatMap((each) => (each.kind === "moved" ? [each] : []));
}

function cloudflareRules(input: RuleInput) {
  const lines = movedAddresses(input)
    .filter(({ from }) => !from.includes("?"))
    .map(({ from, to }) => ({
      line: `${encodedAddress(from)} ${to} 308`,
      isPattern: patternFolder(from) !== null,
    }));
  const shortLines = lines.filter(({ line }) => line.length <= CLOUDFLARE_LIMITS.lineCharacters);
  const linesWhere = (isPattern: boolean) =>
    shortLines.filter((each) => each.isPattern === isPattern).map(({ line }) => line);
  return {
    exact: linesWhere(false),
    patterns: linesWhere(true),
    tooLong: lines.length - shortLines.length,
  };
}

/** The name of the page that redirects from an address; null: GitHub Pages cannot serve one there. */
function redirectPageName(from: string): string | null {
  if (from.includes("?") || patternFolder(from) !== null) return null;
  const name = from.slice(1);
  if (/\.html?$/.test(name)) return name;
  return /\.[a-z0-9]{1,5}$/i.test(name) ? null : `${name}.html`;
}

function redirectPage(to: string, origin: string): string {
  const address = escaped(to.startsWith("/") ? origin + to : to);
  return `<!doctype html>
<meta charset="utf-8">
<title>${address}</title>
<link rel="canonical" href="${address}">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${address}">
<p><a href="${address}">${address}</a></p>
`;
}

/** The file `_headers`, for Cloudflare and Netlify. */
function headerFile({ headers, types, namedTypes, pageCaching, policies }: RuleInput): RuleFile {
  const commonHeaders = { ...headers, "Cache-Control": pageCaching };
  const blocks: [path: string, headers: Record<string, string>][] = [
    ["/*", commonHeaders],
    ...IMMUTABLE_FOLDERS.map((folder): [string, Record<string, string>] => [
      `/${folder}/*`,
      { "Cache-Control": CACHE_FOREVER },
    ]),
    ...[...policies].map(([ending, policy]): [string, Record<string, string>] => [
      `/media/*.${ending}`,
      { "Content-Security-Policy": policy },
    ]),
    ...[...types]
      .filter(([ending]) => ["md", "txt", "json", "atom", "ics"].includes(ending))
      .map(([ending, type]): [string, Record<string, string>] => [
        `/*.${ending}`,
        { "Content-Type": type },
      ]),
    ...[...namedTypes].map(([name, type]): [string, Record<string, string>] => [
      `/*${name}`,
      { "Content-Type": type },
    ]),
  ];
  const lines = blocks.flatMap(([path, pathHeaders]) => [
    path,
    ...Object.entries(pathHeaders).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  return textFile("_headers", lines);
}

function textFile(name: string, lines: readonly string[]): RuleFile {
  return { name: `${WEB_ROOT}/${name}`, text: lines.map((line) => `${line}\n`).join("") };
}

function overLimit(count: number, what: string): string[] {
  return count > 0 ? [`${count} ${what}`] : [];
}

function goneCount({ former }: RuleInput): number {
  return former.filter(({ kind }) => kind === "gone").length;
}

function queryCount({ former }: RuleInput): number {
  return former.filter(({ from }) => from.includes("?")).length;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
