/**
 * A token of a pattern. `{ text }` matches that text. `one` matches a single character except a slash. `name`
 * matches any number of characters except slashes. `any` matches any characters. `folders` matches any number
 * of folders, each with a trailing slash.
 */
type Token = { text: string } | "one" | "name" | "any" | "folders";

const ALTERNATIVES_MAX = 100;
const CHARACTERS_MAX = 200;
/** Maximum number of patterns. With more patterns, every path matches. */
const PATTERNS_MAX = 300;

/**
 * Returns a function that checks whether a path matches one of these globs. Sets such as `[a-c]` match any
 * character: it is better to leave out too much than to publish by mistake.
 */
export function createGlobMatcher(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs
    .slice(0, PATTERNS_MAX + 1)
    .flatMap(alternativesOf)
    .map(tokensOf);
  if (patterns.length > PATTERNS_MAX) return () => true;
  return (path) => patterns.some((tokens) => matches(tokens, path));
}

/**
 * Returns a function that checks whether lines in the syntax of `.gitignore` exclude a file or a folder
 * above it. The last line that matches decides: if it begins with `!`, the file is not excluded.
 */
export function createGitignoreMatcher(lines: readonly string[]): (file: string) => boolean {
  if (lines.length > PATTERNS_MAX) return () => true;
  const rules = lines.flatMap((line) => {
    const written = line.trim();
    if (written === "" || written.startsWith("#")) return [];
    const pattern = written.replace(/^!/, "");
    const path = pattern.replace(/^\/|\/$/g, "");
    const isFromTop = pattern.slice(0, -1).includes("/");
    const glob = isFromTop ? path : `**/${path}`;
    const isMatch = createGlobMatcher([...(pattern.endsWith("/") ? [] : [glob]), `${glob}/**`]);
    return [{ isIgnored: pattern === written, isMatch }];
  });
  return (file) => rules.findLast(({ isMatch }) => isMatch(file))?.isIgnored === true;
}

/**
 * Returns a function that checks whether one of these regular expressions matches somewhere in a path,
 * ignoring case. Each is converted to a glob; parts that no glob can express match anything.
 */
export function createRegexMatcher(expressions: readonly string[]): (path: string) => boolean {
  const isMatch = createGlobMatcher(expressions.map((each) => globOf(each).toLowerCase()));
  return (path) => isMatch(path.toLowerCase());
}

const EXPRESSION_PART = /(\(\?\w+\)|\((?:\?:)?|\[[^\]]*\]|\\?[^\\])([*+?]|\{[\d,]*\})?/gu;
const GLOB_PARTS: ReadonlyMap<string, string> = new Map([
  ["(", "{"],
  ["(?:", "{"],
  ["|", ","],
  [")", "}"],
  [".", "?"],
  ["^", ""],
  ["$", ""],
]);

function globOf(expression: string): string {
  const glob = expression.replaceAll(EXPRESSION_PART, (_, part: string, count?: string) => {
    if (/^\(\?\w/.test(part)) return "";
    if (count !== undefined) return part === ")" ? ",}**" : "**";
    if (/^(?:\\[a-z]|\[)/i.test(part)) return "?";
    return GLOB_PARTS.get(part) ?? `\\${part.replace(/^\\/, "")}`;
  });
  const isToEnd = /[^\\]\$$/.test(expression) && !expression.includes("|");
  return `**{${glob}}${isToEnd ? "" : "**"}`;
}

const BRACES = /(?<!\\)\{((?:[^{}\\]|\\.)*)\}/su;

/** Expands braces: `{a,b}.md` → `a.md`, `b.md`. With too many alternatives, `**` replaces the braces. */
function alternativesOf(written: string): string[] {
  const glob = written.length > CHARACTERS_MAX ? `${written.slice(0, CHARACTERS_MAX)}**` : written;
  let globs = [glob.replaceAll(/(?<!\\)[!?*+@]\([^()]*\)/g, "*")];
  while (globs.some((each) => BRACES.test(each))) {
    globs = globs.flatMap((each) => {
      const found = BRACES.exec(each);
      if (found === null) return [each];
      const [braces, inner = ""] = found;
      const end = each.slice(found.index + braces.length);
      return inner.split(/(?<!\\),/).map((part) => each.slice(0, found.index) + part + end);
    });
    if (globs.length > ALTERNATIVES_MAX) return [glob.replace(/\{.*\}/su, "**")];
  }
  return globs;
}

const TOKEN = /(\*\*\/)|(\*\*+)|(\*)|(\?|\[!?\]?[^\]]*\])|\\?(.)/gsu;

function tokensOf(glob: string): Token[] {
  const bare = glob.replace(/^\.?\//, "");
  return [...bare.matchAll(TOKEN)].map(([, folders, any, name, one, text = ""]) => {
    if (folders !== undefined) return "folders";
    if (any !== undefined) return "any";
    if (name !== undefined) return "name";
    return one === undefined ? { text } : "one";
  });
}

/**
 * Runs the pattern as a nondeterministic automaton, because backtracking could take forever on a hostile
 * pattern. A state is the number of tokens that have matched.
 */
function matches(tokens: readonly Token[], path: string): boolean {
  let states = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  enter(0, tokens, states);
  for (const character of path) {
    next.fill(0);
    for (let at = 0; at < tokens.length; at += 1) {
      if (states[at] === 1) advance(at, character, { tokens, next });
    }
    [states, next] = [next, states];
  }
  return states[tokens.length] === 1;
}

function advance(
  at: number,
  character: string,
  { tokens, next }: { tokens: readonly Token[]; next: Uint8Array },
): void {
  const token = tokens[at];
  const isSlash = character === "/";
  if (token === "any") enter(at, tokens, next);
  else if (token === "name" && !isSlash) enter(at, tokens, next);
  else if (token === "one" && !isSlash) enter(at + 1, tokens, next);
  else if (token === "folders" && isSlash) enter(at, tokens, next);
  // `folders` matches whole folders, so it stays the current token until the next slash.
  else if (token === "folders") next[at] = 1;
  else if (typeof token === "object" && token.text === character) enter(at + 1, tokens, next);
}

/**
 * Adds a state. Tokens that can match nothing are skipped, so the states after these tokens are added too.
 */
function enter(first: number, tokens: readonly Token[], states: Uint8Array): void {
  let at = first;
  states[at] = 1;
  while (tokens[at] === "name" || tokens[at] === "any" || tokens[at] === "folders") {
    at += 1;
    states[at] = 1;
  }
}
