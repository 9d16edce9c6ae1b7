import { AppError } from "../../errors.ts";

/**
 * Limit of the cost to paint a picture, in milliseconds of one ordinary processor. The weights
 * below were measured in Chromium at 800 × 800 pixels without a graphics card.
 */
const MILLISECONDS_MAX = 500;
const NESTED_MAX = 500;

const ELEMENT_COST = 0.01;
/** An instance made by `use`, in addition to what it shows. */
const INSTANCE_COST = 0.05;
const PATH_CHARACTER_COST = 0.0001;
const TEXT_CHARACTER_COST = 0.001;
const DASH_COST = 0.00005;
/** Limit of declarations in style sheets, multiplied by the elements that they may apply to. */
const APPLIED_MAX = 200_000;
/** Cost of comparing a name in a selector with one element. */
const NAME_COMPARISON_COST = 0.00001;
/** Elements and attributes that make the renderer fill the whole surface again. */
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
const MORPHOLOGY_FOR_RADIUS = 40;
const COST_BY_PROPERTY: ReadonlyMap<string, number> = new Map([
  ["mask", 15],
  ["filter", 10],
  ["clip-path", 0.2],
  ["opacity", 2],
  ["isolation", 2],
  ["mix-blend-mode", 2],
]);
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["none", "normal", "auto", "1"]);
/** A gradient, pattern or similar, in addition to what it contains. */
const PAINT_SERVER = 0.8;

const URL_REFERENCE = /url\(\s*["']?#([\w:.-]+)/g;
const NUMBER_PATTERN = /\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+/gi;
const SELECTOR_NAME = /[.#]?[\w-]+|\*/g;
/** Elements whose children are drawn only where they are referenced. */
const DEFINITION_ELEMENTS: ReadonlySet<string> = new Set(
  "defs symbol pattern clipPath mask marker linearGradient radialGradient filter".split(" "),
);

type Declaration = [property: string, value: string];

interface Drawn {
  name: string;
  milliseconds: number;
  /** Sum of the coordinates: about the length of its outline. */
  length: number;
  /** Ids it refers to, with the number of times each is drawn. */
  references: [id: string, times: number][];
  children: Drawn[];
  selectors: readonly string[];
}

/** Estimates what an SVG costs to paint: references multiply the cost of their targets. */
export class SvgCost {
  readonly #open: Drawn[] = [];
  readonly #all: Drawn[] = [];
  readonly #byId = new Map<string, Drawn>();
  /** Declarations by the names in the selectors of their rules; equal ones count once. */
  readonly #declared = new Map<string, Map<string, Declaration>>();
  /** Names in selectors, with repeats. */
  #names = 0;
  /** Length of the shortest dash of the picture. */
  #dash = Number.POSITIVE_INFINITY;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { id, class: classes = "" } = attributes;
    const coordinates = attributes["d"] ?? attributes["points"] ?? "";
    const drawn: Drawn = {
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
    this.#all.push(drawn);
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, drawn);
  }

  close(): void {
    this.#open.pop();
  }

  text(words: string): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.milliseconds += words.length * TEXT_CHARACTER_COST;
  }

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
      this.#names += names.length;
      const declarations = Object.entries(declarationsOf(text));
      for (const name of new Set(names)) this.#declare(name, declarations);
    }
  }

  #declare(name: string, declarations: readonly Declaration[]): void {
    const known = this.#declared.get(name) ?? new Map<string, Declaration>();
    for (const declaration of declarations) known.set(declaration.join(":"), declaration);
    this.#declared.set(name, known);
  }

  /** @throws {AppError} `invalid` when painting would take too long. */
  requirePaintable(): void {
    const styling = this.#names * this.#all.length * NAME_COMPARISON_COST;
    if (styling > MILLISECONDS_MAX) throw tooCostly();
    this.#applyRules();
    const [root] = this.#all;
    if (root === undefined) return;
    if (styling + this.#paint(root, new Map(), 0) > MILLISECONDS_MAX) throw tooCostly();
  }

  /** @throws {AppError} `invalid` when too many rules apply to too many elements. */
  #applyRules(): void {
    let applied = 0;
    for (const drawn of this.#all) {
      const declarations = new Map<string, Declaration>();
      for (const selector of drawn.selectors) {
        const declared = this.#declared.get(selector) ?? new Map<string, Declaration>();
        applied += declared.size;
        if (applied > APPLIED_MAX) throw tooCostly();
        for (const [key, declaration] of declared) declarations.set(key, declaration);
      }
      for (const [property, value] of declarations.values()) {
        this.#apply(drawn, { [property]: value });
      }
    }
  }

  #apply(drawn: Drawn, properties: Readonly<Record<string, string>>): void {
    for (const [property, value] of Object.entries(properties)) {
      if (property === "stroke-dasharray") this.#noteDash(value);
      if (WITHOUT_EFFECT.has(value)) continue;
      drawn.milliseconds += COST_BY_PROPERTY.get(property) ?? 0;
      const times = property.startsWith("marker") ? Math.max(1, drawn.length / 2) : 1;
      for (const [, id = ""] of value.matchAll(URL_REFERENCE)) {
        drawn.references.push([id, times]);
        if (property === "fill" || property === "stroke") drawn.milliseconds += PAINT_SERVER;
      }
    }
  }

  #noteDash(value: string): void {
    for (const dash of value.match(NUMBER_PATTERN) ?? []) {
      if (Number(dash) > 0) this.#dash = Math.min(this.#dash, Number(dash));
    }
  }

  /** Each element is computed once; browsers draw one that contains itself only once. */
  #paint(drawn: Drawn, known: Map<Drawn, number>, depth: number): number {
    const before = known.get(drawn);
    if (before !== undefined) return before;
    if (depth > NESTED_MAX) return Number.POSITIVE_INFINITY;
    known.set(drawn, 0);
    const dashes = Math.min(drawn.length / this.#dash, 1e6);
    let sum = drawn.milliseconds + dashes * DASH_COST;
    for (const child of drawn.children) {
      if (!DEFINITION_ELEMENTS.has(child.name)) sum += this.#paint(child, known, depth + 1);
    }
    for (const [id, times] of drawn.references) {
      const target = this.#byId.get(id);
      if (target !== undefined)
        sum += times * (INSTANCE_COST + this.#paint(target, known, depth + 1));
    }
    known.set(drawn, sum);
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
    return FILTER_STEP_COST + Math.max(0, ...radius.slice(0, 2)) * MORPHOLOGY_FOR_RADIUS;
  }
  return COST_BY_ELEMENT.get(name) ?? (name.startsWith("fe") ? FILTER_STEP_COST : 0);
}

function outlineLength(name: string, attributes: Readonly<Record<string, string>>): number {
  if (DEFINITION_ELEMENTS.has(name)) return 0;
  const places = ["d", "points", "x1", "y1", "x2", "y2", "width", "height", "r", "rx", "ry"];
  let length = 0;
  for (const place of places) {
    for (const number of attributes[place]?.match(NUMBER_PATTERN) ?? []) length += Number(number);
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
