import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { readYaml } from "../content/import/front-matter.ts";
import { decodedUtf8 } from "../content/import/lines.ts";
import type { Heading } from "../content/import/tables/heading.ts";
import { guessMapping } from "../content/import/tables/mapping-guess.ts";
import type { TableRow } from "../content/import/tables/table.ts";
import { readPairs } from "../content/import/tables/table-mapping.ts";
import { describeIssue } from "../content/items/issue-messages.ts";
import { type TableMapping, tableMappingSchema } from "../content/site/table-mappings.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { AppError } from "../errors.ts";

/** What the caller says about the columns. */
export interface MappingChoices {
  /** Pairs of columns and places, as `Titel=title`. */
  map: readonly string[];
  mappingFile?: string;
  type?: string;
}

/** The mapping of the table of this name, or of another with the same columns. */
export function savedMapping(
  tables: Readonly<Record<string, TableMapping>>,
  name: string,
  columns: readonly string[],
): { name: string; mapping: TableMapping } | null {
  const fits = ({ columns: mapped, knownBy }: TableMapping) =>
    [...Object.keys(mapped), ...knownBy].every((column) => columns.includes(column));
  const own = tables[name];
  if (own !== undefined && fits(own)) return { name, mapping: own };
  const same = Object.entries(tables).find(
    ([, mapping]) => fits(mapping) && columns.every((column) => column in mapping.columns),
  );
  return same === undefined ? null : { name: same[0], mapping: same[1] };
}

/** The mapping that is stated, saved or guessed, with the corrections. @throws {AppError} `invalid`. */
export function mappingFor(
  rows: readonly TableRow[],
  {
    heading,
    types,
    file,
    saved,
  }: {
    heading: Heading;
    types: ContentTypes;
    file: string;
    saved: TableMapping | undefined;
  },
  { map, mappingFile, type }: MappingChoices,
): TableMapping {
  const pairs = readPairs(map, heading.columns);
  const stated = mappingFile === undefined ? undefined : readMappingFile(mappingFile);
  const base = stated ?? saved;
  if (base !== undefined && (type === undefined || type === base.type)) {
    return withPairs(base, pairs);
  }
  const fileName = basename(file, extname(file));
  const guess = guessMapping(heading, rows, { types, fileName, type, stated: pairs });
  return withPairs({ ...guess, knownBy: base?.knownBy ?? [] }, pairs);
}

/** A place that a correction gives to another column is taken from the one that had it. */
function withPairs(mapping: TableMapping, pairs: ReadonlyMap<string, string>): TableMapping {
  const given = new Set([...pairs.values()].filter((place) => place !== "-"));
  const rest = Object.entries(mapping.columns).filter(([, place]) => !given.has(place));
  return { ...mapping, columns: { ...Object.fromEntries(rest), ...Object.fromEntries(pairs) } };
}

function readMappingFile(path: string): TableMapping {
  const text = decodedUtf8(readFileSync(path));
  const { values, faults } = readYaml(text ?? "", 0);
  const [fault] = faults;
  if (text === null || fault !== undefined) {
    const reason = fault === undefined ? "it is not UTF-8" : `line ${fault.line} ${fault.message}`;
    throw new AppError("invalid", `Cannot read the mapping ${path}: ${reason}`);
  }
  const parsed = tableMappingSchema.safeParse(values, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new AppError("invalid", `Cannot read the mapping ${path}: ${problems.join("; ")}`);
}
