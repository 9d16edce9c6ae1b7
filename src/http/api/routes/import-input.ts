import type { GeneratorOption } from "../../../content/site/import-choices/generator-choices.ts";
import { AppError, englishOnly } from "../../../errors.ts";
import type { FileInput } from "../../../transfer/job.ts";
import type { HttpRequest } from "../../exchange.ts";
import { importName } from "../file-kinds.ts";
import { fileNameIn } from "../upload.ts";
import { parseColumnTargets } from "./job-shapes.ts";

export const LINES_TYPES = ["application/x-ndjson", "application/jsonl"];
const FILE_NAME_CHARACTERS_MAX = 200;

/**
 * The file of the request with its options. Null: the body is JSON lines. @throws {AppError}
 * `invalid`.
 */
export function importInput(
  request: Pick<HttpRequest, "header">,
  {
    type,
    sheet,
    columns,
    as,
    generator,
  }: {
    type?: string;
    sheet?: string;
    columns?: string;
    as?: string;
    generator?: GeneratorOption;
  },
): FileInput | null {
  const [contentType = ""] = (request.header("content-type") ?? "").split(";", 1);
  const mediaType = contentType.trim().toLowerCase();
  if (LINES_TYPES.includes(mediaType)) {
    const isPlain = [type, sheet, columns, generator].every((choice) => choice === undefined);
    if (isPlain && as === undefined) return null;
    throw new AppError(
      "invalid",
      englishOnly(
        "type, sheet and columns are for tables, and as and generator are for folders and exports; this has JSON lines",
      ),
    );
  }
  const fileName = fileNameIn(request.header("content-disposition") ?? "");
  const name = importName(fileName.slice(-FILE_NAME_CHARACTERS_MAX), mediaType);
  return {
    name,
    type: type ?? null,
    sheet: sheet ?? null,
    columns: parseColumnTargets(columns ?? "{}"),
    ...(as === undefined ? {} : { as: as.split(",").filter((pair) => pair !== "") }),
    ...(generator === undefined ? {} : { generator }),
  };
}
