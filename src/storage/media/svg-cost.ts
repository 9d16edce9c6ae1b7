import { AppError } from "../../errors.ts";

/**
 * Limit on the cost of painting a picture, in milliseconds of one ordinary processor. The costs
 * below were measured in Chromium at 800 × 800 pixels without a graphics card.
 */
const MILLISECONDS_MAX = 500;
const DEPTH_MAX = 500;

const ELEMENT_COST = 0.01;
/** Cost of each copy that `use` draws, in addition to the cost of its content. */
const INSTANCE_COST = 0.05;
const PATH_CHARACTER_COST = 0.0001;
const TEXT_CHARACTER_COST = 0.001;
const DASH_COST = 0.00005;
/**
 * Limit on the declarations of style sheets that apply to elements. A declaration counts once for
 * each element to which it may apply, and again for each `COUNTED_CHARACTERS` of its value, which is
 * read for every element.
 */
const APPLIED_DECLARATIONS_MAX = 200_000;
const COUNTED_CHARACTERS = 100;
/** Cost of comparing a name in a selector with one element. */
const NAME_COMPARISON_COST = 0.00001;
/** Costs of elements for which the renderer redraws the whole surface. */
const COST_BY_ELEMENT: ReadonlyMap<string, number> = new Map(
  Object.entries({
    image: 0.2,
    pattern: 2,
    feDiffuseLighting: 50,
    feSpecularLighting: 50,
    feGaussianBlur: 40,
    feDropShadow: 40,
    feTurbulence: 20,
    feConvolveMatrix: 20,
  }),
);
const FILTER_STEP_COST = 5;
const MORPHOLOGY_COST_PER_RADIUS = 40;
/**
 * Costs of properties for which the renderer redraws the whole surface. Values in
 * `VALUES_WITHOUT_EFFECT` cost nothing.
 */
const COST_BY_PROPERTY: ReadonlyMap<string, number> = new Map([
  ["mask", 15],
  ["filter", 10],
  ["clip-path", 0.2],
  ["opacity", 2],
  ["isolation", 2],
  ["mix-blend-mode", 2],
]);
const VALUES_WITHOUT_EFFECT: ReadonlySet<string> = new Set(["none", "normal", "auto", "1"]);
/** Cost of a gradient, pattern or similar element, in addition to the cost of its content. */
const PAINT_SERVER_COST = 0.8;

const URL_REFERENCE = /url\(\s*["']?#([\w:.-]+)/g;
const NUMBER_PATTERN = /\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+/gi;
const SELECTOR_NAME = /[.#]?[\w-]+|\*/g;
/** Elements whose children are drawn only where a reference uses them. */
const DEFINITION_ELEMENTS: ReadonlySet<string> = new Set(
  "defs symbol pattern clipPath mask marker linearGradient radialGradient filter".split(" "),
);

type Declaration = [property: string, value: string];

interface DrawnElement {
  name: string;
  milliseconds: number;
  /** Approximate length of the outline, computed from its coordinates. */
  length: number;
  /** Ids that the element refers to, with the number of times each is drawn. */
  references: [id: string, times: number][];
  children: DrawnElement[];
  selectors: readonly string[];
}

/** Estimates what an SVG costs to paint: references multiply the cost of their targets. */
export class SvgPaintingCost {
  readonly #open: DrawnElement[] = [];
  readonly #elements: DrawnElement[] = [];
  readonly #byId = new Map<string, DrawnElement>();
  /**
   * The declarations of all style rules, keyed by the names at the end of each rule's selectors, then by
   * the text of the declaration. Equal declarations therefore count once.
   */
  readonly #declarationsByName = new Map<string, Map<string, Declaration>>();
  /** Number of names in all selectors. */
  #selectorNames = 0;
  /** Number of declarations in all rules, counted once for each name in the rule's selectors. */
  #declared = 0;
  #shortestDash = Number.POSITIVE_INFINITY;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { id, class: classes = "" } = attributes;
    const coordinates = attributes["d"] ?? attributes["points"] ?? "";
    const drawn: DrawnElement = {
      name,
      milliseconds:
        ELEMENT_COST + costOfElement(name, attributes) + coordinates.length * PATH_CHARACTER_COST,
      length: outlineLength(name, attributes),
      references: [],
      children: [],
      selectors: ["*", name, `#${id}`, ...classes.split(/\s+/).map((each) => `.${each}`)],
    };
    const target = (attributes["href"] ?? attributes["xlink:href"] ?? "").trim();
    if (target.startsWith("#")) drawn.references.push([target.slice(1), 1]);
    this.#apply(drawn, attributes);
    this.#apply(drawn, declarationsOf(attributes["style"] ?? ""));
    this.#open.at(-1)?.children.push(drawn);
    this.#open.push(drawn);
    this.#elements.push(drawn);
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, drawn);
  }

  close(): void {
    this.#open.pop();
  }

  text(content: string): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.milliseconds += content.length * TEXT_CHARACTER_COST;
  }

  /** @throws {AppError} `invalid` when rules declare too much for too many names. */
  style(css: string): void {
    for (const rule of css.split("}")) {
      const [selectors = "", text = ""] = rule.split("{");
      const names = selectors.split(",").flatMap(
        (selector) =>
          selector
            .trim()
            .split(/[\s>+~]+/)
            .at(-1)
            ?.match(SELECTOR_NAME) ?? [],
      );
      this.#selectorNames += names.length;
      const declarations = Object.entries(declarationsOf(text)).map(
        (declaration) => [declaration.join(":"), declaration] as const,
      );
      for (const name of new Set(names)) this.#declare(name, declarations);
    }
  }

  #declare(name: string, declarations: readonly (readonly [string, Declaration])[]): void {
    this.#declared += declarations.length;
    if (this.#declared > APPLIED_DECLARATIONS_MAX) throw tooCostly();
    const known = this.#declarationsByName.get(name) ?? new Map<string, Declaration>();
    for (const [key, declaration] of declarations) known.set(key, declaration);
    this.#declarationsByName.set(name, known);
  }

  /** @throws {AppError} `invalid` when painting would take too long. */
  requirePaintable(): void {
    const styling = this.#selectorNames * this.#elements.length * NAME_COMPARISON_COST;
    if (styling > MILLISECONDS_MAX) throw tooCostly();
    this.#applyRules();
    const [root] = this.#elements;
    if (root === undefined) return;
    if (styling + this.#paint(root, new Map(), 0) > MILLISECONDS_MAX) throw tooCostly();
  }

  /** @throws {AppError} `invalid` when too many rules apply to too many elements. */
  #applyRules(): void {
    let applied = 0;
    for (const drawn of this.#elements) {
      const declarations = new Map<string, Declaration>();
      for (const selector of drawn.selectors) {
        const declared = this.#declarationsByName.get(selector) ?? new Map<string, Declaration>();
        applied += declared.size;
        if (applied > APPLIED_DECLARATIONS_MAX) throw tooCostly();
        for (const [key, declaration] of declared) declarations.set(key, declaration);
      }
      for (const [property, value] of declarations.values()) {
        applied += Math.floor(value.length / COUNTED_CHARACTERS);
        if (applied > APPLIED_DECLARATIONS_MAX) throw tooCostly();
        this.#apply(drawn, { [property]: value });
      }
    }
  }

  #apply(drawn: DrawnElement, properties: Readonly<Record<string, string>>): void {
    for (const [property, value] of Object.entries(properties)) {
      if (property === "stroke-dasharray") this.#noteDash(value);
      if (VALUES_WITHOUT_EFFECT.has(value)) continue;
      drawn.milliseconds += COST_BY_PROPERTY.get(property) ?? 0;
      const times = property.startsWith("marker") ? Math.max(1, drawn.length / 2) : 1;
      for (const [, id = ""] of value.matchAll(URL_REFERENCE)) {
        drawn.references.push([id, times]);
        if (property === "fill" || property === "stroke") drawn.milliseconds += PAINT_SERVER_COST;
      }
    }
  }

  #noteDash(value: string): void {
    for (const dash of value.match(NUMBER_PATTERN) ?? []) {
      if (Number(dash) > 0) this.#shortestDash = Math.min(this.#shortestDash, Number(dash));
    }
  }

  /**
   * Computes the cost of each element once. A reference from an element to itself adds no cost, because
   * browsers draw the element once.
   */
  #paint(drawn: DrawnElement, costs: Map<DrawnElement, number>, depth: number): number {
    const before = costs.get(drawn);
    if (before !== undefined) return before;
    if (depth > DEPTH_MAX) return Number.POSITIVE_INFINITY;
    costs.set(drawn, 0);
    const dashes = Math.min(drawn.length / this.#shortestDash, 1e6);
    let sum = drawn.milliseconds + dashes * DASH_COST;
    for (const child of drawn.children) {
      if (!DEFINITION_ELEMENTS.has(child.name)) sum += this.#paint(child, costs, depth + 1);
    }
    for (const [id, times] of drawn.references) {
      const target = this.#byId.get(id);
      if (target !== undefined)
        sum += times * (INSTANCE_COST + this.#paint(target, costs, depth + 1));
    }
    costs.set(drawn, sum);
    return sum;
  }
}

function tooCostly(): AppError {
  return new AppError("invalid", {
    en: "The SVG would take too long to paint: it repeats elements, masks, filters or dashes too often. Simplify it, or save it as PNG or WebP instead",
    de: "Dieses SVG aufzubauen dauert zu lange: Es wiederholt Elemente, Masken, Filter oder Strichmuster zu oft. Vereinfachen Sie es, oder speichern Sie es als PNG oder WebP",
  });
}

function costOfElement(name: string, attributes: Readonly<Record<string, string>>): number {
  if (name === "feMorphology") {
    const radius = (attributes["radius"]?.match(NUMBER_PATTERN) ?? []).map(Number);
    return FILTER_STEP_COST + Math.max(0, ...radius.slice(0, 2)) * MORPHOLOGY_COST_PER_RADIUS;
  }
  return COST_BY_ELEMENT.get(name) ?? (name.startsWith("fe") ? FILTER_STEP_COST : 0);
}

function outlineLength(name: string, attributes: Readonly<Record<string, string>>): number {
  if (DEFINITION_ELEMENTS.has(name)) return 0;
  const lengthAttributes = [
    "d",
    "points",
    "x1",
    "y1",
    "x2",
    "y2",
    "width",
    "height",
    "r",
    "rx",
    "ry",
  ];
  let length = 0;
  for (const attribute of lengthAttributes) {
    for (const number of attributes[attribute]?.match(NUMBER_PATTERN) ?? [])
      length += Number(number);
  }
  return length * 4;
}

function declarationsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(";").map((declaration) => {
      const colon = declaration.indexOf(":");
      return [declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim()];
    }),
  );
}
