import type { ExpansionContext } from "./expansion-context.ts";
import { NAMESPACES } from "./page-names.ts";
import { evaluateParserFunction, evaluateVariable } from "./parser-functions.ts";
import type { TemplateCall, WikitextPart } from "./wikitext-parts.ts";

/** Values of a template's parameters, keyed by name or number. */
type Values = ReadonlyMap<string, string>;

/** The template that is being expanded. */
interface Frame {
  values: Values;
  /** The parts of the templates being expanded, outermost template first. Detects recursion. */
  enclosingTemplates: readonly (readonly WikitextPart[])[];
}

/** Limit on nested templates; MediaWiki has the same limit. */
const DEPTH_MAX = 40;

/**
 * Replaces templates and parameters with their values, as the wiki does. A template that is missing from the
 * dump is replaced with the values passed to it. Stops adding text at the limits of the expansion.
 */
export function expandTemplates(
  parts: readonly WikitextPart[],
  expansion: ExpansionContext,
): string {
  return new Expander(expansion).text(parts, { values: new Map(), enclosingTemplates: [] });
}

class Expander {
  readonly #expansion: ExpansionContext;

  constructor(expansion: ExpansionContext) {
    this.#expansion = expansion;
  }

  text(parts: readonly WikitextPart[], frame: Frame): string {
    let text = "";
    for (const part of parts) {
      if (this.#expansion.charactersLeft < 0) return text;
      const added = this.#partText(part, frame);
      const isBlock = isTemplate(part) && /^(?:\{\||[*#:;])/.test(added);
      if (isBlock && text !== "" && !text.endsWith("\n")) text += "\n";
      text += added;
    }
    return text;
  }

  #partText(part: WikitextPart, frame: Frame): string {
    if (typeof part === "string") return part;
    this.#expansion.stepsLeft -= 1;
    switch (part.kind) {
      case "extension":
        if (frame.enclosingTemplates.length > 0) this.#spend(part.content ?? "");
        return this.#expansion.charactersLeft < 0 ? "" : this.#expansion.onExtension(part);
      case "parameter": {
        const name = this.text(part.name, frame).trim();
        const value = frame.values.get(name);
        if (value !== undefined) return this.#spend(value);
        return part.fallback === null ? "" : this.text(part.fallback, frame);
      }
      case "template":
        return this.#templateText(part, frame);
    }
  }

  #spend(text: string): string {
    this.#expansion.charactersLeft -= text.length;
    return this.#expansion.charactersLeft < 0 ? "" : text;
  }

  #templateText(call: TemplateCall, frame: Frame): string {
    const { enclosingTemplates } = frame;
    if (this.#expansion.stepsLeft < 0) {
      this.#expansion.onLimit("…");
      return "";
    }
    const written = this.text(call.name, frame).trim();
    const name = written.replace(/^(?:safesubst|subst|msg|msgnw|raw)\s*:\s*/i, "");
    const variable = evaluateVariable(name, this.#expansion);
    if (variable !== undefined) return variable;
    const evaluate = (parts: readonly WikitextPart[]) => this.text(parts, frame);
    const result = evaluateParserFunction(name, call.values, evaluate, this.#expansion);
    if (result !== undefined) return this.#spend(result);
    const given = this.#givenValues(call, evaluate);
    const parts = this.#templateParts(name);
    if (parts === undefined) {
      const [called = "", ...first] = name.startsWith("#") ? name.split(":") : [name];
      this.#expansion.onUnknown(called);
      return this.#spend(valuesAlone([first.join(":"), ...given.values()]));
    }
    const isEnd =
      this.#expansion.stepsLeft < 0 ||
      enclosingTemplates.length > DEPTH_MAX ||
      enclosingTemplates.includes(parts);
    if (isEnd) this.#expansion.onLimit(name);
    return isEnd
      ? ""
      : this.#spend(
          this.text(parts, { values: given, enclosingTemplates: [...enclosingTemplates, parts] }),
        );
  }

  /** The values in a call, keyed by name or number. If a name occurs twice, the last value is used. */
  #givenValues(call: TemplateCall, evaluate: (parts: readonly WikitextPart[]) => string): Values {
    const given = new Map<string, string>();
    let number = 0;
    for (const { key, value } of call.values) {
      if (key === null) {
        number += 1;
        given.set(String(number), evaluate(value));
      } else given.set(evaluate(key).trim(), evaluate(value).trim());
    }
    return given;
  }

  #templateParts(written: string): readonly WikitextPart[] | undefined {
    const { names, templateParts, page } = this.#expansion;
    const [title = ""] = written.split("#", 1);
    const name = names.parse(title, NAMESPACES.template);
    return templateParts(written.startsWith("/") ? names.full(page) + title : names.full(name));
  }
}

function isTemplate(part: WikitextPart): boolean {
  return typeof part === "object" && part.kind === "template";
}

/** The text that replaces a missing template: the values in the call, separated by commas. */
function valuesAlone(values: readonly string[]): string {
  return values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .join(", ");
}
