import type { ExpansionContext } from "./expansion-context.ts";
import { mapOutsidePlaceholders } from "./html-placeholders.ts";
import type { TemplateValue, WikitextPart } from "./wikitext-parts.ts";

type Evaluate = (parts: readonly WikitextPart[]) => string;

/**
 * A call of a function. `subject` is the text after the colon. The arguments are evaluated only when they are
 * needed.
 */
interface Call {
  subject: string;
  value(at: number): string;
  values: readonly TemplateValue[];
  evaluate: Evaluate;
  expansion: ExpansionContext;
}

/** The value of a variable, such as `PAGENAME`; undefined: there is no such variable. */
export function evaluateVariable(
  name: string,
  { names, page, siteName }: ExpansionContext,
): string | undefined {
  switch (name) {
    case "!":
      return "|";
    case "=":
      return "=";
    case "PAGENAME":
    case "SEITENNAME":
    case "BASEPAGENAME":
    case "SUBPAGENAME":
      return page.title;
    case "FULLPAGENAME":
      return names.full(page);
    case "SITENAME":
      return siteName;
    case "NAMESPACE":
      return names.nameOf(page.namespace);
    default:
      return undefined;
  }
}

const FUNCTIONS: Readonly<Record<string, (call: Call) => string>> = {
  "#if": ({ subject, value }) => value(subject === "" ? 1 : 0).trim(),
  "#ifeq": ({ subject, value }) => value(subject === value(0).trim() ? 1 : 2).trim(),
  "#ifexist": ({ subject, value, expansion: { hasPage, names } }) =>
    value(hasPage(names.full(names.parse(subject))) ? 0 : 1).trim(),
  "#iferror": ({ subject, value, values }) => (values.length > 1 ? value(1).trim() : subject),
  "#switch": switchResult,
  "#tag": elementOf,
  lc: ({ subject }) => mapOutsidePlaceholders(subject, (text) => text.toLowerCase()),
  uc: ({ subject }) => mapOutsidePlaceholders(subject, (text) => text.toUpperCase()),
  lcfirst: ({ subject }) => subject.slice(0, 1).toLowerCase() + subject.slice(1),
  ucfirst: ({ subject }) => subject.slice(0, 1).toUpperCase() + subject.slice(1),
  urlencode: ({ subject }) => mapOutsidePlaceholders(subject, encodeURIComponent),
  formatnum: ({ subject }) => subject,
  /** Functions that show nothing and only affect the page's sort order or heading. */
  defaultsort: () => "",
  sortierung: () => "",
  displaytitle: () => "",
};

/**
 * The result of a parser function (https://www.mediawiki.org/wiki/Help:Magic_words).
 *
 * @param written the function's name, a colon and the first value, such as `#if: x`. Templates in it are
 * already expanded.
 * @returns undefined if there is no such function.
 */
export function evaluateParserFunction(
  written: string,
  values: readonly TemplateValue[],
  evaluate: Evaluate,
  expansion: ExpansionContext,
): string | undefined {
  const colon = written.indexOf(":");
  const name = written.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  const run = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (run === undefined) return undefined;
  return run({
    subject: written.slice(colon + 1).trim(),
    value: (at) => writtenValue(values[at], evaluate),
    ...{ values, evaluate, expansion },
  });
}

function elementOf({ subject, value, expansion, ...call }: Call): string {
  const content = value(0);
  expansion.charactersLeft -= content.length;
  if (expansion.charactersLeft < 0) return "";
  const name = subject.toLowerCase();
  return expansion.onExtension({
    kind: "extension",
    name,
    content,
    attributes: attributesOf(call),
  });
}

/** The attributes of an element that the function `#tag` creates: `{{#tag:ref|text|name=a}}`. */
function attributesOf({ values, evaluate }: Pick<Call, "values" | "evaluate">): string {
  return values
    .slice(1)
    .flatMap(({ key, value }) =>
      key === null ? [] : [` ${evaluate(key).trim()}="${evaluate(value).trim()}"`],
    )
    .join("");
}

/**
 * Evaluates a value. If the value is written as `key=value`, includes the key, because most functions have
 * no named values.
 */
function writtenValue(field: TemplateValue | undefined, evaluate: Evaluate): string {
  if (field === undefined) return "";
  const value = evaluate(field.value);
  return field.key === null ? value : `${evaluate(field.key)}=${value}`;
}

/**
 * Evaluates `#switch`. A label without a value has the value of the next label. If the last label has no
 * value, it is the default result itself.
 */
function switchResult({ subject, values, evaluate }: Call): string {
  let isMatched = false;
  let isDefault = false;
  let fallback = "";
  for (const [at, { key, value }] of values.entries()) {
    const label = evaluate(key ?? value).trim();
    if (key === null && at === values.length - 1) return label;
    isMatched ||= label === subject;
    isDefault ||= label === "#default";
    if (key === null) continue;
    if (isMatched) return evaluate(value).trim();
    if (isDefault) fallback = evaluate(value).trim();
    isDefault = false;
  }
  return fallback;
}
