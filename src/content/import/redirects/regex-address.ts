import { SPLAT_PLACEHOLDER } from "../../addresses/address-patterns.ts";

/** The addresses that a simple regular expression matches. */
export interface RegexAddress {
  /** The path that the expression matches; empty for the home page. */
  path: string;
  /**
   * Null: the expression matches only `path`. Otherwise, the expression also matches every address below
   * `path`. `all`: the expression captures nothing. `tail`: it captures the text after `path/`.
   * `slash-and-tail`: it captures the slash and the text after it.
   */
  capture: null | "all" | "tail" | "slash-and-tail";
}

/** Patterns for the end of an expression, each with its `capture`. The first that matches applies. */
const REGEX_ENDINGS: readonly [ending: RegExp, capture: RegexAddress["capture"]][] = [
  [/\(\/\.[*+]\)\??\$?$/, "slash-and-tail"],
  [/\/\(\.[*+]\??\)\$?$/, "tail"],
  [/\(\.\*\)\$?$/, "slash-and-tail"],
  [/\/?\.[*+]\$?$/, "all"],
  [/\/\??\$$/, null],
  [/\$$/, null],
  [/\/$/, "all"],
];
const LITERAL_REGEX = /^(?:[\p{L}\p{N}_~%/ .-]|\\[./ -])*$/u;

/**
 * Parses a regular expression that matches one address, or one address and everything below it.
 * Null for any other expression.
 */
export function parseRegexAddress(expression: string): RegexAddress | null {
  const anchored = expression.replace(/^\^/, "");
  const [ending, capture] = REGEX_ENDINGS.find(([each]) => each.test(anchored)) ?? [/$/, "all"];
  const written = anchored.replace(ending, "");
  if (!LITERAL_REGEX.test(written) || !(written === "" || written.startsWith("/"))) return null;
  const path = written.replaceAll(/\\(.)/g, "$1").replace(/\/+$/, "");
  return capture !== null && path === "" ? null : { path, capture };
}

/**
 * Replaces `$1`, the captured text, with `:splat` in the target of a redirect. Null: the target has other
 * variables, or has `$1` although nothing is captured.
 */
export function replaceCaptureWithSplat(to: string, { capture }: RegexAddress): string | null {
  const splat = { tail: SPLAT_PLACEHOLDER, "slash-and-tail": `/${SPLAT_PLACEHOLDER}`, all: null };
  const captured = capture === null ? null : splat[capture];
  const filled =
    captured === null
      ? to
      : to.replace(/\/*\$1/, (written) => {
          const isDoubled = written.startsWith("/") && captured.startsWith("/");
          return written.replace(/\/*\$1/, isDoubled ? captured : written.replace("$1", captured));
        });
  return /[$%]\d|%\{/.test(filled) ? null : filled;
}
