import { TAIL } from "../../addresses/address-patterns.ts";

/** The meaning of a simple regular expression over addresses. */
export interface RegexAddress {
  /** Empty for the home page. */
  path: string;
  /** What it captures if it matches a prefix: nothing, the rest, or the rest with its slash. */
  below: null | "all" | "tail" | "slash-and-tail";
}

/** Endings that match everything below, longest first. */
const ENDINGS: readonly [ending: RegExp, below: RegexAddress["below"]][] = [
  [/\(\/\.[*+]\)\??\$?$/, "slash-and-tail"],
  [/\/\(\.[*+]\??\)\$?$/, "tail"],
  [/\(\.\*\)\$?$/, "slash-and-tail"],
  [/\/?\.[*+]\$?$/, "all"],
  [/\/\??\$$/, null],
  [/\$$/, null],
  [/\/$/, "all"],
];
const LITERAL = /^(?:[\p{L}\p{N}_~%/ .-]|\\[./ -])*$/u;

/** Null unless the expression matches exactly one address, or everything below one. */
export function literalOf(expression: string): RegexAddress | null {
  const anchored = expression.replace(/^\^/, "");
  const [ending, below] = ENDINGS.find(([each]) => each.test(anchored)) ?? [/$/, "all"];
  const written = anchored.replace(ending, "");
  if (!LITERAL.test(written) || !(written === "" || written.startsWith("/"))) return null;
  const path = written.replaceAll(/\\(.)/g, "$1").replace(/\/+$/, "");
  return below !== null && path === "" ? null : { path, below };
}

/** The target with `:splat` for the captured text; null if it uses the capture in another way. */
export function targetOf(to: string, { below }: RegexAddress): string | null {
  const splat = { tail: TAIL, "slash-and-tail": `/${TAIL}`, all: null };
  const captured = below === null ? null : splat[below];
  const filled =
    captured === null
      ? to
      : to.replace(/\/*\$1/, (written) => {
          const isDoubled = written.startsWith("/") && captured.startsWith("/");
          return written.replace(/\/*\$1/, isDoubled ? captured : written.replace("$1", captured));
        });
  return /[$%]\d|%\{/.test(filled) ? null : filled;
}
