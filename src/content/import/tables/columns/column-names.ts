import { SITE_TEXT_LANGUAGES, siteTexts } from "../../../../texts/site/site-texts.ts";
import type { TypeTexts } from "../../../../texts/type-texts.ts";
import type { ContentType, ContentTypes } from "../../../types/content-type.ts";
import {
  FIELD_COLUMN_NAMES,
  ITEM_PROPERTY_COLUMN_NAMES,
  RELATION_COLUMN_NAMES,
  TYPE_REVEALING_COLUMN_NAMES,
} from "./usual-names.ts";

/** A property, field or relation of an item that a column can fill, with the usual names of such columns. */
export interface ColumnTarget {
  place: string;
  /** For each normalised column name, the confidence that a column with this name belongs to the target. */
  weights: ReadonlyMap<string, number>;
  /** Whether a column mapped to this target reveals the type of the rows. */
  revealsType: boolean;
}

const OWN_WEIGHT = 4;
/** The confidence for a column whose name reveals the type of the rows. */
export const TYPE_REVEALING_NAME_WEIGHT = 3.5;
const KNOWN_WEIGHT = 3;
const COMMON_WEIGHT = 2;

/** The mapping targets of a type, with their column names in every language of the product. */
export function listColumnTargets(type: ContentType): ColumnTarget[] {
  const texts = typeTextsInAllLanguages(type);
  const fields = Object.entries(type.fields).map(([place, { label }]) => ({
    place,
    ownNames: [place, label, ...texts.flatMap((each) => each.fields?.[place]?.label ?? [])],
    fieldNames: FIELD_COLUMN_NAMES[place] ?? "",
    commonNames: "",
    revealsType: true,
  }));
  const relations = Object.entries(type.relations).map(([place, { label, target }]) => ({
    place,
    ownNames: [place, label, ...texts.flatMap((each) => each.relations?.[place]?.label ?? [])],
    fieldNames: FIELD_COLUMN_NAMES[place] ?? RELATION_COLUMN_NAMES[target] ?? "",
    commonNames: "",
    revealsType: false,
  }));
  const items = Object.entries(ITEM_PROPERTY_COLUMN_NAMES).map(([place, names]) => ({
    ...{ place, ownNames: [place], fieldNames: "", commonNames: names, revealsType: false },
  }));
  const [revealingPlace, names] = TYPE_REVEALING_COLUMN_NAMES[type.name] ?? ["title", ""];
  const labels = [type.label, ...texts.flatMap(({ label }) => label ?? [])];
  return [...fields, ...relations, ...items].map(
    ({ place, ownNames, fieldNames, commonNames, revealsType }) => {
      const weights = new Map<string, number>();
      const add = (all: readonly string[], weight: number) => {
        for (const name of all) {
          const normal = normalizeColumnName(name);
          if (normal !== "") weights.set(normal, Math.max(weights.get(normal) ?? 0, weight));
        }
      };
      add(commonNames.split("|"), COMMON_WEIGHT);
      add(fieldNames.split("|"), KNOWN_WEIGHT);
      if (place === revealingPlace)
        add([...names.split("|"), ...labels], TYPE_REVEALING_NAME_WEIGHT);
      add(ownNames, OWN_WEIGHT);
      return { place, weights, revealsType };
    },
  );
}

/** Whether a name is a usual column name for at least one content type. */
export function isColumnName(name: string, types: ContentTypes): boolean {
  const normal = normalizeColumnName(name);
  return normal !== "" && knownNames(types).has(normal);
}

const knownByTypes = new WeakMap<ContentTypes, ReadonlySet<string>>();

function knownNames(types: ContentTypes): ReadonlySet<string> {
  const known = knownByTypes.get(types);
  if (known !== undefined) return known;
  const names = new Set(
    [...types.values()].flatMap((type) =>
      listColumnTargets(type).flatMap(({ weights }) => [...weights.keys()]),
    ),
  );
  knownByTypes.set(types, names);
  return names;
}

/** Confidence that a column with this name belongs to a target; 0: the column does not belong to it. */
export function columnNameWeight(name: string, { weights }: ColumnTarget): number {
  const normal = normalizeColumnName(name);
  const exact = weights.get(normal);
  if (exact !== undefined) return exact;
  // In names such as "Zitat (deutsch)" or "Author of the quote", the first word decides.
  const words = normal.split(" ");
  const [first = ""] = words;
  const byFirstWord = words.length > 1 && words.length <= 5 ? weights.get(first) : undefined;
  const byNumberedName = weights.get(normal.replace(/ ?\d+$/, ""));
  return byNumberedName !== undefined ? byNumberedName - 0.2 : (byFirstWord ?? 0) / 2;
}

/** The types that a file name mentions, such as quotations in `zitate-2024.csv`. */
export function findTypesInFileName(fileName: string, types: ContentTypes): string[] {
  const words = new Set(normalizeColumnName(fileName).split(" "));
  return [...types.values()]
    .filter((type) => {
      const texts = [type, ...typeTextsInAllLanguages(type)];
      const revealing = (TYPE_REVEALING_COLUMN_NAMES[type.name]?.[1] ?? "").split("|");
      const names = [
        type.name,
        ...texts.flatMap(({ label = [], plural = [] }) => [label, plural].flat()),
        ...revealing,
      ];
      return names.some((name) => words.has(normalizeColumnName(name)));
    })
    .map(({ name }) => name);
}

/**
 * Normalises a column name. Ignores case, punctuation and gender forms, so that `Autor*innen:`
 * equals `AUTOR`.
 */
export function normalizeColumnName(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[/:*_](?:in|innen)\b/g, "")
    .replace(/[^\p{L}\p{M}\p{N}#?]+/gu, " ")
    .trim();
}

function typeTextsInAllLanguages(type: ContentType): Partial<TypeTexts>[] {
  const builtInTexts = SITE_TEXT_LANGUAGES.flatMap(
    (language) => siteTexts(language).types[type.name] ?? [],
  );
  return [...builtInTexts, ...Object.values(type.translations ?? {})];
}
