import { countNote, goneCount, movedAddresses, queryCount } from "./former-addresses.ts";
import { headerFile, textFile } from "./header-file.ts";
import { encodedAddress, type Host, patternFolder, type RuleInput } from "./host.ts";

/** https://developers.cloudflare.com/pages/configuration/redirects/ and …/platform/limits/ */
const CLOUDFLARE_LIMITS = { exact: 2000, patterns: 100, lineCharacters: 1000, files: 20_000 };

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
      ...countNote(
        exact.length - CLOUDFLARE_LIMITS.exact,
        `redirects beyond the ${CLOUDFLARE_LIMITS.exact} that Cloudflare takes`,
      ),
      ...countNote(
        patterns.length - CLOUDFLARE_LIMITS.patterns,
        `patterns beyond the ${CLOUDFLARE_LIMITS.patterns} that Cloudflare takes`,
      ),
      ...countNote(
        tooLong,
        `redirects of more than ${CLOUDFLARE_LIMITS.lineCharacters} characters`,
      ),
      ...countNote(
        queryCount(input),
        "former addresses with a query, which Cloudflare does not distinguish",
      ),
      ...countNote(
        goneCount(input),
        "withdrawn addresses, which Cloudflare answers with 404 instead of 410",
      ),
      ...(files > CLOUDFLARE_LIMITS.files
        ? [`${files} files: Cloudflare takes ${CLOUDFLARE_LIMITS.files} without a paid plan`]
        : []),
    ];
  },
};

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
