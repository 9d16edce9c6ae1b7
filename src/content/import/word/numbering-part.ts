import { forEachXmlElement } from "./part-elements.ts";

/** A level of a list, as `numbering.xml` defines it. */
export interface NumberedLevel {
  start: number;
  /** `decimal`, `lowerLetter`, `upperRoman`, `bullet` and so on. */
  format: string;
  /** The pattern of the label that Word shows. `%1` is a placeholder for the number of the first level. */
  text: string;
  /** Whether the label shows the numbers of all levels in digits. */
  isLegal: boolean;
  /**
   * The level, counted from 1, whose paragraphs restart the numbers of this level. Paragraphs of all levels
   * above that level also restart the numbers. Null: paragraphs of any level above this level restart the
   * numbers. 0: the numbers never restart.
   */
  restartsAfter: number | null;
  /** The style whose paragraphs have this level by default. */
  styleId: string | null;
}

/** Limit on a chain of styles, each based on the next. */
const STYLES_MAX = 20;
/** The number of levels in Word. */
const LEVELS_MAX = 9;

type Levels = Map<number, NumberedLevel>;

/** A list to which paragraphs refer. */
export interface NumberedList {
  id: string;
  /**
   * The id of the list's definition. Lists with the same definition continue each other's numbers.
   */
  definition: string;
  levels: Levels;
  /** The levels that restart when a paragraph first uses the list, each with its first number. */
  restarts: Map<number, number>;
}

/** The numbering properties of a paragraph or a style. */
export interface ParagraphNumber {
  styleId?: string;
  listId?: string;
  level?: number;
}

interface Definition {
  levels: Levels;
  /** The style whose list replaces this definition; null: there is none. */
  styleLink: string | null;
}

/** Finds the list of a paragraph from the properties of the paragraph and its styles. */
export class NumberingPart {
  readonly #definitions = new Map<string, Definition>();
  readonly #lists = new Map<string, NumberedList>();
  readonly #styles = new Map<string, ParagraphNumber>();
  /** The lists that paragraphs have used so far, keyed by id. */
  readonly #used = new Map<string, NumberedList | null>();

  /** @param parts `numbering.xml` and `styles.xml`; empty if the document has none. */
  constructor({ numbering, styles }: { numbering: string; styles: string }) {
    this.#readNumbering(numbering);
    this.#readStyles(styles);
  }

  /** The list and level of a paragraph; null: it has no number. */
  listOf(paragraph: ParagraphNumber): { list: NumberedList; level: number } | null {
    const styles = this.#stylesOf(paragraph);
    const stated = [paragraph, ...styles.map((id) => this.#styles.get(id) ?? {})];
    const list = this.#list(stated.find(({ listId }) => listId !== undefined)?.listId);
    if (list === null) return null;
    const ofStyle = [...list.levels].find(
      ([, { styleId }]) => styleId !== null && styles.includes(styleId),
    );
    const level = stated.find((each) => each.level !== undefined)?.level;
    return { list, level: level ?? ofStyle?.[0] ?? 0 };
  }

  /** The style of a paragraph and the styles that it is based on. */
  #stylesOf({ styleId }: ParagraphNumber): string[] {
    const styles = new Set<string>();
    for (let style = styleId; style !== undefined; style = this.#styles.get(style)?.styleId) {
      if (styles.has(style) || styles.size === STYLES_MAX) break;
      styles.add(style);
    }
    return [...styles];
  }

  #list(id: string | undefined): NumberedList | null {
    if (id === undefined) return null;
    const known = this.#used.get(id);
    if (known !== undefined) return known;
    const list = this.#listWithLevels(id);
    this.#used.set(id, list);
    return list;
  }

  #listWithLevels(id: string): NumberedList | null {
    const list = this.#lists.get(id);
    const definition = this.#definitions.get(list?.definition ?? "");
    if (list === undefined || definition === undefined) return null;
    const linked = this.#lists.get(this.#styles.get(definition.styleLink ?? "")?.listId ?? "");
    const used = linked === undefined ? definition : this.#definitions.get(linked.definition);
    const levels = [...(used?.levels ?? []), ...list.levels];
    return {
      ...list,
      definition: (linked ?? list).definition,
      levels: new Map(levels.filter(([index]) => index < LEVELS_MAX)),
    };
  }

  #readNumbering(xml: string): void {
    let definition: Definition = { levels: new Map(), styleLink: null };
    let list: NumberedList | null = null;
    let level = newLevel();
    let index = 0;
    forEachXmlElement(xml, (name, { val = "", ...attributes }) => {
      switch (name) {
        case "abstractNum":
          definition = { levels: new Map(), styleLink: null };
          list = null;
          this.#definitions.set(attributes["abstractNumId"] ?? "", definition);
          return;
        case "num": {
          const id = attributes["numId"] ?? "";
          list = { id, definition: "", levels: new Map(), restarts: new Map() };
          this.#lists.set(id, list);
          return;
        }
        case "abstractNumId":
          if (list !== null) list.definition = val;
          return;
        case "lvlOverride":
          index = Number(attributes["ilvl"] ?? 0);
          return;
        case "startOverride":
          list?.restarts.set(index, Number(val));
          return;
        case "lvl":
          level = newLevel();
          (list ?? definition).levels.set(Number(attributes["ilvl"] ?? 0), level);
          return;
        case "numStyleLink":
          definition.styleLink = val;
          return;
        default:
          readProperty(level, name, val);
      }
    });
  }

  #readStyles(xml: string): void {
    let style: ParagraphNumber = {};
    forEachXmlElement(xml, (name, { val = "", ...attributes }) => {
      if (name === "style") {
        style = {};
        this.#styles.set(attributes["styleId"] ?? "", style);
      }
      if (name === "basedOn") style.styleId = val;
      if (name === "numId") style.listId = val;
      if (name === "ilvl") style.level = Number(val);
    });
  }
}

function newLevel(): NumberedLevel {
  return {
    ...{ start: 1, format: "decimal", text: "", isLegal: false },
    ...{ restartsAfter: null, styleId: null },
  };
}

function readProperty(level: NumberedLevel, name: string, value: string): void {
  if (name === "start") level.start = Number(value);
  if (name === "numFmt") level.format = value;
  if (name === "lvlText") level.text = value;
  if (name === "isLgl") level.isLegal = value !== "0" && value !== "false";
  if (name === "lvlRestart") level.restartsAfter = Number(value);
  if (name === "pStyle") level.styleId = value;
}
