import { markdownPath } from "../content/addresses/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";

/** The answer that a web server must give at a former address. */
export type FormerAddressResponse =
  /**
   * `from` is decoded and may have a query (`/?p=12`) or end in `/*`. `to` is encoded and may contain
   * `:splat`.
   */
  | { kind: "moved"; from: string; to: string; isElsewhere: boolean }
  | { kind: "gone"; from: string };

/** The answers for former addresses, except addresses that have a page again. */
export function formerAddressResponses(
  reading: ReadingCopy,
  addresses: Iterable<string>,
): FormerAddressResponse[] {
  const answers: FormerAddressResponse[] = [];
  for (const from of addresses) {
    const resolution = reading.resolve(from);
    const isPlain = !from.includes("?") && !from.endsWith("/*");
    switch (resolution.kind) {
      case "moved":
        answers.push({ kind: "moved", from, to: encoded(resolution.to), isElsewhere: false });
        if (isPlain) {
          const [markdown, to] = [markdownPath(from), encoded(markdownPath(resolution.to))];
          answers.push({ kind: "moved", from: markdown, to, isElsewhere: false });
        }
        break;
      case "elsewhere":
        answers.push({ kind: "moved", from, to: resolution.url, isElsewhere: true });
        break;
      case "gone":
        answers.push({ kind: "gone", from });
        break;
      default:
        break;
    }
  }
  return answers;
}

/** Encodes a path as the server does in `Location`. */
function encoded(path: string): string {
  return encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent);
}
