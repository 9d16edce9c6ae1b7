import type { Wording } from "../../../errors.ts";
import { indentOf } from "../conventions/code-parts.ts";

/**
 * Limit on the cost of parsing a text. Parsing a text of this cost takes about 0.4 seconds on a
 * slow server, and other requests wait meanwhile.
 */
const COST_MAX = 750_000;
const LINE_COST = 12;
const VALUE_COST = 60;
const DEPTH_MAX = 200;

const TOO_DEEP: Wording = {
  en: "is not YAML: it nests too deep",
  de: "ist kein YAML: es ist zu tief verschachtelt",
};
const TOO_LONG: Wording = {
  en: "is not read: it has more than about 10,000 values, or is longer than a million characters; leave out what is not needed, or split it",
  de: "wird nicht gelesen: es hat mehr als etwa 10.000 Angaben oder ist länger als eine Million Zeichen; lassen Sie Überflüssiges weg, oder teilen Sie es auf",
};
/** Matches a key or a list entry at the beginning of a line, and brackets and commas anywhere. */
const TOKENS =
  /^[ \t]*(?:[-?](?:[ \t]+[-?:])*(?=\s|$)|[^\s#[\]{},][^:[\]{},]{0,60}:(?=\s|$))|[[\]{},]/g;
const MANY_DASHES = /^[ \t]*(?:[-?][ \t]+){200}/m;
/** Matches the first line of a block scalar: a text of several lines that is not parsed as YAML. */
const BEGINS_TEXT = /^([ \t]*(?:[-?][ \t]+)*)[^#"'\s][^#"']*[:-][ \t]+[|>][-+\d]{0,3}[ \t]*$/;

/**
 * Why a text must not be parsed as YAML: parsing would take seconds or overflow the stack. Null:
 * the text may be parsed. Block scalars add little to the cost.
 */
export function findYamlCostProblem(yaml: string): Wording | null {
  if (yaml.length / 2 > COST_MAX) return TOO_LONG;
  if (MANY_DASHES.test(yaml)) return TOO_DEEP;
  let cost = yaml.length / 2;
  for (const { token, depth } of yamlTokens(yaml)) {
    if (depth > DEPTH_MAX) return TOO_DEEP;
    if (token === "\n") cost += LINE_COST;
    else if (token !== "," || depth > 0) cost += VALUE_COST;
    if (cost > COST_MAX) return TOO_LONG;
  }
  return null;
}

/** Yields all line ends, and the tokens of the lines outside block scalars. */
function* yamlTokens(yaml: string): Generator<{ token: string; depth: number }> {
  let depth = 0;
  let textIndent: number | null = null;
  for (const line of yaml.split("\n")) {
    yield { token: "\n", depth };
    if (textIndent !== null && isInText(line, textIndent)) continue;
    textIndent = depth > 0 ? null : textIndentAfter(line);
    for (const [token] of line.matchAll(TOKENS)) {
      depth = Math.max(0, depth + (DEPTH_CHANGES.get(token) ?? 0));
      yield { token, depth };
    }
  }
}

function isInText(line: string, indent: number): boolean {
  return line.trim() === "" || indentOf(line) > indent;
}

/**
 * The indentation of a line that begins a block scalar; null for other lines. The following lines
 * with deeper indentation belong to the block scalar.
 */
function textIndentAfter(line: string): number | null {
  return BEGINS_TEXT.exec(line)?.[1]?.length ?? null;
}

const DEPTH_CHANGES: ReadonlyMap<string, number> = new Map([
  ["[", 1],
  ["{", 1],
  ["]", -1],
  ["}", -1],
]);
