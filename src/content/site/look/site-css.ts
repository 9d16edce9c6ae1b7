import type { CssNode } from "css-tree";
import { generate, parse, walk } from "css-tree/dist/csstree.esm";

/** Style rules of a site. */
interface SiteCss {
  /** Serialised from the parsed rules, without comments. */
  css: string;
  /** `line` is 1-based. */
  faults: readonly CssFault[];
}

interface CssFault {
  line: number;
  message: string;
}

const FAULTS_MAX = 20;
const DEPTH_MAX = 12;

const AT_RULES: ReadonlySet<string> = new Set(["media", "supports"]);
const POSITIONS: ReadonlySet<string> = new Set(["static", "relative", "absolute", "sticky"]);
/** Obsolete properties that run code. */
const NO_PROPERTIES: ReadonlySet<string> = new Set(["behavior", "-moz-binding", "-ms-behavior"]);
/** A picture of this site: any other host would learn who reads. */
const OWN_PICTURE = /^\/media\/[\w.-]+$/;
/** Functions that compute, draw or transform, but load nothing. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `abs blur brightness calc circle clamp color color-mix conic-gradient contrast counter counters cubic-bezier
  drop-shadow ellipse fit-content grayscale hsl hsla hue-rotate hwb inset invert lab lch light-dark
  linear-gradient matrix max min minmax mod oklab oklch opacity perspective polygon radial-gradient rem repeat
  repeating-conic-gradient repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotatex rotatey
  round saturate scale scalex scaley sepia sign skew skewx skewy steps translate translatex translatey
  translatez var`.split(/\s+/),
);

/** Parses style rules and finds what is not allowed in them; see docs/editing.md. */
export function readSiteCss(text: string): SiteCss {
  const refused = textFault(text);
  if (refused !== null) return { css: "", faults: [refused] };
  const faults: CssFault[] = [];
  const tree = parse(text, {
    positions: true,
    parseCustomProperty: true,
    onParseError: ({ line, message }) =>
      faults.push({ line, message: `cannot be read: ${message}` }),
  });
  walk(tree, (node) => {
    const message = nodeFault(node);
    if (message !== null) faults.push({ line: node.loc?.start.line ?? 1, message });
  });
  return faults.length > 0
    ? { css: "", faults: faults.slice(0, FAULTS_MAX) }
    : { css: generate(tree), faults };
}

/** Why a text must not be parsed at all. */
function textFault(text: string): CssFault | null {
  let depth = 0;
  let line = 1;
  for (const character of text) {
    if (character === "\n") line += 1;
    if (character === "\\")
      return { line, message: 'escapes ("\\") are not allowed; write the character itself' };
    if (character === "<")
      return { line, message: '"<" is not allowed: this is a style sheet, not HTML' };
    if ("{([".includes(character)) depth += 1;
    if ("})]".includes(character)) depth -= 1;
    if (depth > DEPTH_MAX) return { line, message: `nested deeper than ${DEPTH_MAX} levels` };
  }
  return depth === 0
    ? null
    : { line, message: "a bracket is opened and not closed, or closed and not opened" };
}

function nodeFault(node: CssNode): string | null {
  switch (node.type) {
    case "Atrule":
      return AT_RULES.has(node.name.toLowerCase())
        ? null
        : `@${node.name} is not allowed; there are @${[...AT_RULES].join(" and @")}`;
    case "Url":
      return OWN_PICTURE.test(node.value)
        ? null
        : "url() may name only a picture of this site, as url(/media/….svg)";
    case "Function":
      return FUNCTIONS.has(node.name.toLowerCase())
        ? null
        : `the function ${node.name}() is not allowed`;
    case "Declaration":
      return declarationFault(node.property.toLowerCase(), generate(node.value).toLowerCase());
    case "Raw":
      return `"${node.value.slice(0, 40)}" cannot be read`;
    default:
      return null;
  }
}

function declarationFault(property: string, value: string): string | null {
  if (NO_PROPERTIES.has(property)) return `${property} is not allowed`;
  if (property === "position" && !POSITIONS.has(value.replace(/!important$/, ""))) {
    return `position: ${value} is not allowed, as it could cover the page; there are ${[...POSITIONS].join(", ")}`;
  }
  return null;
}
