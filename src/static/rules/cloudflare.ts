import {
  countFormerUrlsWithQuery,
  countGoneUrls,
  formatNonZeroCount,
  listMovedUrls,
} from "./former-addresses.ts";
import { buildHeaderBlocks, buildHeadersFile, createTextFile } from "./header-file.ts";
import {
  type ExportHost,
  encodeRequestTarget,
  type HostRulesInput,
  wildcardPrefix,
} from "./host.ts";

/**
 * Limits from https://developers.cloudflare.com/pages/configuration/redirects/, …/headers/ and
 * …/platform/limits/
 */
const CLOUDFLARE_LIMITS = {
  ...{ exact: 2000, patterns: 100, lineCharacters: 1000 },
  ...{ headerBlocks: 100, headerLineCharacters: 2000 },
  ...{ files: 20_000, paidFiles: 100_000, fileBytes: 25 * 1024 * 1024 },
};

export const cloudflare: ExportHost = {
  readsPageNumbers: false,
  answersGone: false,
  rules(input) {
    const { exact, patterns } = cloudflareRules(input);
    const redirects = [
      ...exact.slice(0, CLOUDFLARE_LIMITS.exact),
      ...patterns.slice(0, CLOUDFLARE_LIMITS.patterns),
    ];
    return [createTextFile("_redirects", redirects), buildHeadersFile(input, headerDropLines)];
  },
  limits(input) {
    const { exact, patterns, tooLong } = cloudflareRules(input);
    return [
      ...formatNonZeroCount(
        exact.length - CLOUDFLARE_LIMITS.exact,
        `redirects beyond the ${CLOUDFLARE_LIMITS.exact} that Cloudflare takes`,
      ),
      ...formatNonZeroCount(
        patterns.length - CLOUDFLARE_LIMITS.patterns,
        `patterns beyond the ${CLOUDFLARE_LIMITS.patterns} that Cloudflare takes`,
      ),
      ...formatNonZeroCount(
        tooLong,
        `redirects of more than ${CLOUDFLARE_LIMITS.lineCharacters} characters`,
      ),
      ...formatNonZeroCount(
        countFormerUrlsWithQuery(input),
        "former addresses with a query, which Cloudflare does not distinguish",
      ),
      ...formatNonZeroCount(
        countGoneUrls(input),
        "withdrawn addresses, which Cloudflare answers with 404 instead of 410",
      ),
      ...headerNotes(input),
      ...fileNotes(input),
    ];
  },
};

/** Drops the header of the more general rule, because Cloudflare would join both values with a comma. */
function headerDropLines(name: string): string[] {
  return [`  ! ${name}`];
}

function headerNotes(input: HostRulesInput): string[] {
  const { headerBlocks, headerLineCharacters } = CLOUDFLARE_LIMITS;
  const blocks = buildHeaderBlocks(input, headerDropLines);
  const longLines = blocks.flat().filter((line) => line.length > headerLineCharacters);
  return [
    ...formatNonZeroCount(
      blocks.length - headerBlocks,
      `rules for headers beyond the ${headerBlocks} that Cloudflare takes`,
    ),
    ...formatNonZeroCount(
      longLines.length,
      `headers of more than ${headerLineCharacters} characters, which Cloudflare does not take`,
    ),
  ];
}

function fileNotes({ files }: HostRulesInput): string[] {
  const { files: filesMax, paidFiles, fileBytes } = CLOUDFLARE_LIMITS;
  const large = [...files].flatMap(([name, bytes]) => (bytes > fileBytes ? [name] : []));
  const plan = `Cloudflare takes ${filesMax} without a paid plan, and ${paidFiles} with one`;
  return [
    ...(files.size > filesMax ? [`${files.size} files: ${plan}`] : []),
    ...formatNonZeroCount(
      large.length,
      `files of more than 25 MiB, which Cloudflare does not take, such as ${large[0] ?? ""}`,
    ),
  ];
}

function cloudflareRules(input: HostRulesInput) {
  const lines = listMovedUrls(input)
    .filter(({ from }) => !from.includes("?"))
    .map(({ from, to }) => ({
      line: `${encodeRequestTarget(from)} ${to} 308`,
      isPattern: wildcardPrefix(from) !== null,
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
