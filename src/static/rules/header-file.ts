import {
  CACHE_FOREVER,
  IMMUTABLE_FOLDERS,
  type RuleFile,
  type RuleInput,
  WEB_ROOT,
} from "./host.ts";

/** The file `_headers`, for Cloudflare and Netlify. */
export function headerFile({
  headers,
  types,
  namedTypes,
  pageCaching,
  policies,
}: RuleInput): RuleFile {
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

export function textFile(name: string, lines: readonly string[]): RuleFile {
  return { name: `${WEB_ROOT}/${name}`, text: lines.map((line) => `${line}\n`).join("") };
}
