import { listMovedUrls } from "./former-addresses.ts";
import { buildHeadersFile, createTextFile } from "./header-file.ts";
import {
  type ExportHost,
  encodeRequestTarget,
  GONE_FOLDER,
  type HostRulesInput,
  wildcardPrefix,
} from "./host.ts";

/**
 * At this number of redirects, a deploy may fail:
 * https://docs.netlify.com/manage/routing/redirects/overview
 */
const REDIRECTS_MANY = 10_000;

/** Drops nothing: if two rules apply to a path, Netlify sends the header of the more specific one. */
const NOTHING_DROPPED = () => [];

export const netlify: ExportHost = {
  readsPageNumbers: false,
  answersGone: true,
  rules: (input) => [
    createTextFile("_redirects", redirectLines(input)),
    buildHeadersFile(input, NOTHING_DROPPED),
  ],
  limits(input) {
    const { length } = redirectLines(input);
    if (length < REDIRECTS_MANY) return [];
    return [
      `${length} redirects and withdrawn addresses: with ${REDIRECTS_MANY} or more, a deploy at Netlify may fail; replace some by patterns (/blog/*)`,
    ];
  },
};

function redirectLines(input: HostRulesInput): string[] {
  const moved = listMovedUrls(input).map(({ from, to }) => {
    const [path = "", query = ""] = encodeRequestTarget(from).split("?");
    return `${path} ${query === "" ? "" : `${query.replaceAll("&", " ")} `}${to} 301`;
  });
  const gone = input.former
    .filter(({ kind }) => kind === "gone")
    .map(({ from }) => {
      const to = wildcardPrefix(from) === null ? `/${GONE_FOLDER}${from}.html` : "/404.html";
      return `${encodeRequestTarget(from)} ${encodeURI(to)} 410`;
    });
  return [...moved, ...gone];
}
