import { withFormData } from "../api/upload.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { SentForm } from "../site/sent-form.ts";

export function isFileForm(request: Pick<HttpRequest, "method" | "header">): boolean {
  const type = request.header("content-type") ?? "";
  return request.method === "POST" && type.startsWith("multipart/form-data");
}

/** Reads a form with files. @throws {AppError} `too_large`, `invalid`, `unavailable`. */
export async function withFileForm(
  request: HttpRequest,
  take: (form: SentForm) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  return await withFormData(request, async (data) => {
    const texts = (name: string) => data.getAll(name).filter((value) => typeof value === "string");
    const files = [...data.values()].filter((value) => typeof value !== "string");
    const fields = [...data].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    return await take({ value: (name) => texts(name)[0] ?? "", values: texts, fields, files });
  });
}
