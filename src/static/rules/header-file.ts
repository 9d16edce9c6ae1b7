import {
  type HostRulesFile,
  type HostRulesInput,
  IMMUTABLE_CACHE_CONTROL,
  IMMUTABLE_FOLDERS,
  scriptContentSecurityPolicy,
  WEB_ROOT,
} from "./host.ts";

/** The file `_headers`, for Cloudflare and Netlify. */
export function buildHeadersFile(input: HostRulesInput, dropLines: HeaderDropLines): HostRulesFile {
  return createTextFile("_headers", buildHeaderBlocks(input, dropLines).flat());
}

/**
 * Returns the lines that remove a header set by a more general rule. Without these lines, some hosts
 * would send both headers.
 */
type HeaderDropLines = (name: string) => readonly string[];

/** Returns the lines of each rule of `_headers`: first the path, then its headers. */
export function buildHeaderBlocks(input: HostRulesInput, dropLines: HeaderDropLines): string[][] {
  const { headers, types, namedTypes, pageCaching, policies, scriptPaths } = input;
  const commonHeaders = { ...headers, "Cache-Control": pageCaching };
  const blocks: [path: string, headers: Record<string, string>][] = [
    ["/*", commonHeaders],
    ...IMMUTABLE_FOLDERS.map((folder): [string, Record<string, string>] => [
      `/${folder}/*`,
      { "Cache-Control": IMMUTABLE_CACHE_CONTROL },
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
  const scripts = scriptPaths.map((path) => [
    path,
    ...dropLines("Content-Security-Policy"),
    `  Content-Security-Policy: ${scriptContentSecurityPolicy(input)}`,
  ]);
  return [
    ...blocks.map(([path, pathHeaders]) => [
      path,
      ...Object.entries(pathHeaders).map(([name, value]) => `  ${name}: ${value}`),
    ]),
    ...scripts,
  ];
}

export function createTextFile(name: string, lines: readonly string[]): HostRulesFile {
  return { name: `${WEB_ROOT}/${name}`, text: lines.map((line) => `${line}\n`).join("") };
}
