import { TAIL } from "../../addresses/address-patterns.ts";

/** What a regular expression of addresses means, where that is simple. */
export interface RegexAddress {
  /** Empty for the home page. */
  path: string;
  /** What it captures of the rest, if it goes on: nothing, the rest, or the rest with its slash. */
  below: null | "all" | "tail" | "slash-and-tail";
}

/** Endings that mean everything below, the longest first. */
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

/** Null for an expression that means more than one address or all below one. */
export function literalOf(expression: string): RegexAddress | null {
  const anchored = expression.replace(/^\^/, "");
  const [ending, below] = ENDINGS.find(([each]) => each.test(anchored)) ?? [/$/, "all"];
  const written = anchored.replace(ending, "");
  if (!LITERAL.test(written) || !(written === "" || written.startsWith("/"))) return null;
  const path = written.replaceAll(/\\(.)/g, "$1").replace(/\/+$/, "");
  return below !== null && path === "" ? null : { path, below };
}

/** The target with `:splat` for what the expression captures; null if it uses it in another way. */
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
