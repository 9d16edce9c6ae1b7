import type { CssNode } from "css-tree";
import { generate, parse, walk } from "css-tree/dist/csstree.esm";
import type { Wording } from "../../../errors.ts";

interface SiteCss {
  /** Serialised from the parsed rules, without comments. */
  css: string;
  /** `line` is 1-based. */
  faults: readonly CssFault[];
}

interface CssFault {
  line: number;
  message: Wording;
}

const FAULTS_MAX = 20;
const DEPTH_MAX = 12;

const ALLOWED_AT_RULES: ReadonlySet<string> = new Set(["media", "supports"]);
const ALLOWED_POSITIONS: ReadonlySet<string> = new Set([
  "static",
  "relative",
  "absolute",
  "sticky",
]);
/** Obsolete properties that run code. */
const REFUSED_PROPERTIES: ReadonlySet<string> = new Set([
  "behavior",
  "-moz-binding",
  "-ms-behavior",
]);
/**
 * Matches the path of a picture of this site. A picture from another host would reveal readers' IP
 * addresses to that host.
 */
const OWN_PICTURE = /^\/media\/[\w.-]+$/;
/** Functions that compute, draw or transform, but load no file. */
const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs blur brightness calc circle clamp color color-mix conic-gradient contrast counter counters cubic-bezier
  drop-shadow ellipse fit-content grayscale hsl hsla hue-rotate hwb inset invert lab lch light-dark
  linear-gradient matrix max min minmax mod oklab oklch opacity perspective polygon radial-gradient rem repeat
  repeating-conic-gradient repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotatex rotatey
  round saturate scale scalex scaley sepia sign skew skewx skewy steps translate translatex translatey
  translatez var`.split(/\s+/),
);

/** Parses style rules and reports those that are not allowed; see docs/editing.md. */
export function parseSiteCss(text: string): SiteCss {
  const refused = preParseFault(text);
  if (refused !== null) return { css: "", faults: [refused] };
  const faults: CssFault[] = [];
  const tree = parse(text, {
    positions: true,
    parseCustomProperty: true,
    onParseError: ({ line, message }) =>
      faults.push({
        line,
        message: { en: `cannot be read: ${message}`, de: `ist nicht zu lesen (${message})` },
      }),
  });
  walk(tree, (node) => {
    const message = nodeFault(node);
    if (message !== null) faults.push({ line: node.loc?.start.line ?? 1, message });
  });
  return faults.length > 0
    ? { css: "", faults: faults.slice(0, FAULTS_MAX) }
    : { css: generate(tree), faults };
}

/** The reason why a style sheet is refused before parsing; null if there is none. */
function preParseFault(text: string): CssFault | null {
  let depth = 0;
  let line = 1;
  for (const character of text) {
    if (character === "\n") line += 1;
    if (character === "\\") {
      return {
        line,
        message: {
          en: 'escapes ("\\") are not allowed; write the character itself',
          de: "„\\“ ist nicht erlaubt: Schreiben Sie das Zeichen selbst",
        },
      };
    }
    if (character === "<") {
      return {
        line,
        message: {
          en: '"<" is not allowed: this is a style sheet, not HTML',
          de: "„<“ ist nicht erlaubt: Hier stehen Gestaltungsregeln, kein HTML",
        },
      };
    }
    if ("{([".includes(character)) depth += 1;
    if ("})]".includes(character)) depth -= 1;
    if (depth > DEPTH_MAX) {
      const message = {
        en: `nested deeper than ${DEPTH_MAX} levels`,
        de: `tiefer als ${DEPTH_MAX} Ebenen verschachtelt`,
      };
      return { line, message };
    }
  }
  return depth === 0
    ? null
    : {
        line,
        message: {
          en: "a bracket is opened and not closed, or closed and not opened",
          de: "Eine Klammer geht auf und nicht zu, oder zu und nicht auf",
        },
      };
}

function nodeFault(node: CssNode): Wording | null {
  switch (node.type) {
    case "Atrule":
      return ALLOWED_AT_RULES.has(node.name.toLowerCase())
        ? null
        : {
            en: `@${node.name} is not allowed; there are @${[...ALLOWED_AT_RULES].join(" and @")}`,
            de: `@${node.name} ist nicht erlaubt; möglich sind @${[...ALLOWED_AT_RULES].join(" und @")}`,
          };
    case "Url":
      return OWN_PICTURE.test(node.value)
        ? null
        : {
            en: "url() may name only a picture of this site, as url(/media/….svg)",
            de: "url() darf nur ein Bild dieser Website nennen, zum Beispiel url(/media/….svg)",
          };
    case "Function":
      return ALLOWED_FUNCTIONS.has(node.name.toLowerCase())
        ? null
        : {
            en: `the function ${node.name}() is not allowed`,
            de: `Die Funktion ${node.name}() ist nicht erlaubt`,
          };
    case "Declaration":
      return declarationFault(node.property.toLowerCase(), generate(node.value).toLowerCase());
    case "Raw":
      return {
        en: `"${node.value.slice(0, 40)}" cannot be read`,
        de: `„${node.value.slice(0, 40)}“ ist nicht zu lesen`,
      };
    default:
      return null;
  }
}

function declarationFault(property: string, value: string): Wording | null {
  if (REFUSED_PROPERTIES.has(property)) {
    return { en: `${property} is not allowed`, de: `${property} ist nicht erlaubt` };
  }
  if (property === "position" && !ALLOWED_POSITIONS.has(value.replace(/!important$/, ""))) {
    return {
      en: `position: ${value} is not allowed, as it stays in front of the page while one scrolls; there are ${[...ALLOWED_POSITIONS].join(", ")}`,
      de: `position: ${value} ist nicht erlaubt, weil es beim Blättern vor der Seite stehen bleibt; möglich sind ${[...ALLOWED_POSITIONS].join(", ")}`,
    };
  }
  return null;
}
