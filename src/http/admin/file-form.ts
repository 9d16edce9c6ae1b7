import { readStreamedForm } from "../api/arriving-form.ts";
import { withFormData } from "../api/upload.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { formFromFields, type SentFile, type SentForm } from "../site/sent-form.ts";

/**
 * Reads a form with files, and calls `respond` with it.
 *
 * @throws {AppError} `too_large`, `invalid`, `unavailable`.
 */
export async function withFileForm(
  request: HttpRequest,
  respond: (form: SentForm) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return await withFormData(request, async (data) => {
    const files = [...data.values()].filter((value) => typeof value !== "string");
    const fields = [...data].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    return await respond({ ...formFromFields(fields), files: files.map(wholeFile) });
  });
}

function wholeFile(file: File): SentFile {
  const { name, size } = file;
  return { name, isEmpty: size === 0, bytesAtLeast: size, stream: () => file.stream() };
}

/**
 * Reads a form with files of any size as they arrive. Files that are still unread when `respond`
 * ends are dropped.
 *
 * @throws {AppError} `too_large`, `invalid`, `unavailable`.
 */
export async function withStreamedForm(
  request: HttpRequest,
  draining: AbortSignal,
  respond: (form: SentForm) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { fields, files } = await readStreamedForm(request, draining);
  try {
    return await respond({ ...formFromFields(fields), files: [], arrivingFiles: files });
  } finally {
    await files.return(undefined);
  }
}
