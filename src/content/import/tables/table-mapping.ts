import { AppError } from "../../../errors.ts";
import type { TableMapping } from "../../site/import-choices/table-mappings.ts";
import type { ContentType, ContentTypes, Field, Relation } from "../../types/content-type.ts";

/** The target of a column that is not imported. */
export const IGNORED_COLUMN_TARGET = "-";
/** The target of the column that identifies a row within its table. */
export const ROW_KEY_TARGET = "key";

/** The part of an item that a column fills: a property of every item, a field or a relation. */
export type MappingTarget = { name: string; takesSeveral: boolean } & (
  | { part: "item" }
  | { part: "field"; field: Field }
  | { part: "relation"; relation: Relation }
);

/**
 * The mapping targets that every item has, keyed by name. True: several columns can be mapped to the
 * target.
 */
const TAKES_SEVERAL_COLUMNS: ReadonlyMap<string, boolean> = new Map([
  ...["title", "summary", "path", "slug", "language", "status"].map((n) => [n, false] as const),
  ...["publishedAt", "publishAt", "expireAt", ROW_KEY_TARGET, "sourceKey"].map(
    (n) => [n, false] as const,
  ),
  ["translationOf", false],
  ["body", true],
  ["redirectFrom", true],
]);

/** The target with this name; null: the type has no such target. */
export function findMappingTarget(name: string, type: ContentType): MappingTarget | null {
  const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  if (field !== undefined) {
    return { name, part: "field", field, takesSeveral: field.kind === "text_list" };
  }
  const relation = Object.hasOwn(type.relations, name) ? type.relations[name] : undefined;
  if (relation !== undefined) {
    return { name, part: "relation", relation, takesSeveral: relation.many };
  }
  const takesSeveral = TAKES_SEVERAL_COLUMNS.get(name);
  return takesSeveral === undefined ? null : { name, part: "item", takesSeveral };
}

/** The names of all targets for a type, its fields and relations first. */
export function listMappingTargetNames(type: ContentType): string[] {
  const ownNames = [...Object.keys(type.fields), ...Object.keys(type.relations)];
  return [
    ...ownNames,
    ...[...TAKES_SEVERAL_COLUMNS.keys()].filter((name) => !ownNames.includes(name)),
  ];
}

/**
 * Parses pairs such as `Column=place`. A column's name may contain an equals sign.
 *
 * @throws {AppError} `invalid` for a malformed pair or an unknown column.
 */
export function parseColumnPairs(
  pairs: readonly string[],
  columns: readonly string[],
): Map<string, string> {
  const parsed = pairs.map((pair): [string, string] => {
    const [, column = "", place = ""] = /^(.+)=([^=]+)$/s.exec(pair) ?? [];
    if (place.trim() === "") {
      throw new AppError("invalid", {
        en: `Cannot read "${pair}": write "Column=place"`,
        de: `„${pair}“ ist nicht zu verstehen: Schreiben Sie „Spalte=Stelle“`,
      });
    }
    return [column, place];
  });
  return resolveChosenColumnTargets(parsed, columns);
}

/**
 * The targets that the caller chose, by column name in the table's spelling.
 *
 * @throws {AppError} `invalid` for a column that the table lacks.
 */
export function resolveChosenColumnTargets(
  pairs: readonly (readonly [column: string, place: string])[],
  columns: readonly string[],
): Map<string, string> {
  return new Map(
    pairs.map(([column, place]) => {
      const match = columns.find((name) => name.toLowerCase() === column.trim().toLowerCase());
      if (match === undefined) {
        const known = columns.map((name) => `"${name}"`).join(", ");
        throw new AppError("invalid", {
          en: `The table has no column "${column}"; it has ${known}`,
          de: `Die Tabelle hat keine Spalte „${column}“; sie hat ${known}`,
        });
      }
      return [match, place.trim()] as const;
    }),
  );
}

/**
 * Checks a mapping against the types of the site and the columns of a table.
 *
 * @returns the type of the rows.
 * @throws {AppError} `invalid`; the message lists the valid choices.
 */
export function requireUsableMapping(
  mapping: TableMapping,
  types: ContentTypes,
  columns: readonly string[],
): ContentType {
  const type = types.get(mapping.type);
  if (type === undefined) {
    const known = [...types.keys()].join(", ");
    throw new AppError("invalid", {
      en: `There is no content type "${mapping.type}"; use one of ${known}`,
      de: `Den Inhaltstyp „${mapping.type}“ gibt es nicht: Wählen Sie einen von ${known}`,
    });
  }
  const filled = new Map<string, string>();
  for (const [column, name] of Object.entries(mapping.columns)) {
    if (name === IGNORED_COLUMN_TARGET) continue;
    const place = findMappingTarget(name, type);
    if (place === null) {
      const known = listMappingTargetNames(type).join(", ");
      const message = {
        en: `"${column}=${name}": ${type.plural} have no place "${name}"; use one of ${known}, or ${IGNORED_COLUMN_TARGET} to leave the column out`,
        de: `Für die Spalte „${column}“ gibt es keine Stelle „${name}“: Wählen Sie eine von ${known}, oder lassen Sie die Spalte weg`,
      };
      throw new AppError("invalid", message);
    }
    const other = filled.get(name);
    if (other !== undefined && !place.takesSeveral) {
      const message = {
        en: `The columns "${other}" and "${column}" are both mapped to ${name}, which takes one`,
        de: `Die Spalten „${other}“ und „${column}“ kommen beide nach ${name}, wo nur eine Platz hat`,
      };
      throw new AppError("invalid", message);
    }
    filled.set(name, column);
  }
  const missing = [...Object.keys(mapping.columns), ...mapping.knownBy].find(
    (column) => !columns.includes(column),
  );
  if (missing !== undefined) {
    const known = columns.map((name) => `"${name}"`).join(", ");
    throw new AppError("invalid", {
      en: `The table has no column "${missing}"; it has ${known}`,
      de: `Die Tabelle hat keine Spalte „${missing}“; sie hat ${known}`,
    });
  }
  if (!filled.has("title") && !filled.has("body")) {
    const known = columns.map((name) => `"${name}"`).join(", ");
    const message = {
      en: `No column looks like a title or a text: say which, as "Column=title"; there are ${known}`,
      de: `Keine Spalte sieht nach einem Titel oder Text aus: Wählen Sie, welche es ist; es gibt ${known}`,
    };
    throw new AppError("invalid", message);
  }
  return type;
}
