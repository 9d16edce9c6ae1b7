import type { GeneratorChoiceOrDetect } from "../../../content/site/import-choices/generator-choices.ts";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import type { FileReadChoices } from "../../../transfer/job.ts";
import type { UploadedFile } from "../../../transfer/pack-as-folder.ts";
import type { HttpRequest } from "../../exchange.ts";
import { streamRequestBody } from "../arriving-bytes.ts";
import { readStreamedForm, requireUploadedFiles } from "../arriving-form.ts";
import { fileNameForMediaType, JSON_LINES_FILE_PATTERN } from "../file-kinds.ts";
import { fileNameFromDisposition } from "../upload.ts";
import { parseColumnTargets } from "./job-shapes.ts";

export const JSON_LINES_MEDIA_TYPES = ["application/x-ndjson", "application/jsonl"];
export const MULTIPART_FORM_MEDIA_TYPE = "multipart/form-data";
const FILE_NAME_CHARACTERS_MAX = 200;

interface ImportQuery {
  type?: string;
  sheet?: string;
  columns?: string;
  as?: string;
  generator?: GeneratorChoiceOrDetect;
}

interface ImportUpload extends AsyncDisposable {
  file: UploadedFile;
  others?: AsyncGenerator<UploadedFile>;
  bytesAtLeast: number;
  /** How the file is parsed; null: as JSON Lines. */
  input: FileReadChoices | null;
}

/**
 * Reads the body of a request, or the files of a form, to be imported with the options in `query`.
 *
 * @throws {AppError} `invalid`; reading the files also throws if they arrive too slowly or the
 * server stops.
 */
export async function readImportUpload(
  request: HttpRequest,
  query: ImportQuery,
  draining: AbortSignal,
): Promise<ImportUpload> {
  const [contentType = ""] = (request.header("content-type") ?? "").split(";", 1);
  const mediaType = contentType.trim().toLowerCase();
  if (mediaType === MULTIPART_FORM_MEDIA_TYPE) {
    const { files } = await readStreamedForm(request, draining);
    const { first, others } = await requireUploadedFiles(files);
    const name = first.name.slice(-FILE_NAME_CHARACTERS_MAX);
    const input = JSON_LINES_FILE_PATTERN.test(name) ? linesInput(query) : fileInput(name, query);
    const { stream: bytes, bytesAtLeast } = first;
    const close = async () => void (await files.return(undefined));
    return {
      ...{ file: { name, bytes }, others, bytesAtLeast, input },
      [Symbol.asyncDispose]: close,
    };
  }
  const fileName = fileNameFromDisposition(request.header("content-disposition") ?? "");
  const name = fileNameForMediaType(fileName.slice(-FILE_NAME_CHARACTERS_MAX), mediaType);
  const input = JSON_LINES_MEDIA_TYPES.includes(mediaType)
    ? linesInput(query)
    : fileInput(name, query);
  request.liftTimeLimit();
  const advice = englishOnlyWording("nothing was kept; send the file again");
  const bytes = () => streamRequestBody(request, { advice, draining });
  const bytesAtLeast = request.body?.declaredBytes ?? 0;
  return { file: { name, bytes }, bytesAtLeast, input, [Symbol.asyncDispose]: async () => {} };
}

function linesInput({ type, sheet, columns, as, generator }: ImportQuery): null {
  const isPlain = [type, sheet, columns, generator].every((choice) => choice === undefined);
  if (isPlain && as === undefined) return null;
  throw new AppError(
    "invalid",
    englishOnlyWording(
      "type, sheet and columns are for tables, and as and generator are for folders and exports; this has JSON lines",
    ),
  );
}

function fileInput(
  name: string,
  { type, sheet, columns, as, generator }: ImportQuery,
): FileReadChoices {
  return {
    name,
    type: type ?? null,
    sheet: sheet ?? null,
    columns: parseColumnTargets(columns ?? "{}"),
    ...(as === undefined ? {} : { as: as.split(",").filter((pair) => pair !== "") }),
    ...(generator === undefined ? {} : { generator }),
  };
}
