import { readFileSync } from "node:fs";
import { parseYamlMapping } from "../content/import/front-matter.ts";
import { decodeUtf8 } from "../content/import/lines.ts";
import { parseColumnPairs } from "../content/import/tables/table-mapping.ts";
import { describeIssue } from "../content/items/issue-messages.ts";
import {
  type TableMapping,
  tableMappingSchema,
} from "../content/site/import-choices/table-mappings.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { TableAndBibliographyOptions } from "../importing/open-tables.ts";

/** The command's options for tables. */
export function tableOptionsFromFlags(flags: {
  map?: string[];
  mapping?: string;
  type?: string;
}): Omit<TableAndBibliographyOptions, "desk" | "sheet"> {
  const { map = [], mapping, type } = flags;
  return {
    places: (columns) => parseColumnPairs(map, columns),
    ...(mapping === undefined ? {} : { mapping: readMappingFile(mapping) }),
    ...(type === undefined ? {} : { type }),
  };
}

function readMappingFile(path: string): TableMapping {
  const text = decodeUtf8(readFileSync(path));
  const { values, faults } = parseYamlMapping(text ?? "", 0);
  const [fault] = faults;
  if (text === null || fault !== undefined) {
    const reason =
      fault === undefined ? "it is not UTF-8" : `line ${fault.line} ${fault.message.en}`;
    throw new AppError("invalid", englishOnlyWording(`Cannot read the mapping ${path}: ${reason}`));
  }
  const parsed = tableMappingSchema.safeParse(values, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new AppError(
    "invalid",
    englishOnlyWording(`Cannot read the mapping ${path}: ${problems.join("; ")}`),
  );
}
