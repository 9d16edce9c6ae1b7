import { IpAddressRateLimiter } from "../../access/address-limits.ts";
import { showSharedPreview } from "../../content/editing/shared-preview.ts";
import { withFilledForm } from "../../content/pages/built-in/contact-page.ts";
import { buildPreviewPage } from "../../content/pages/built-in/preview-page.ts";
import { type Edition, splitEditionPrefix } from "../../content/site/editions.ts";
import { AppError, isTransientError } from "../../errors.ts";
import type { HttpDependencies } from "../dependencies.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { negotiatedErrorResponse } from "../problem.ts";
import { withRetryAfter } from "../retry-after.ts";
import { formPageResponse } from "./form-page.ts";
import { readForm } from "./sent-form.ts";

const HOUR_SECONDS = 3600;
const ATTEMPTS_PER_HOUR_MAX = 60;

/**
 * Shows a draft to people with a code for it. The code is in the body of a POST, so that no
 * address, log or referrer contains it. Every attempt counts towards a rate limit, to prevent
 * guessing.
 */
export function createPreviewCodeHandler(parts: HttpDependencies) {
  const limits = new IpAddressRateLimiter({
    limit: ATTEMPTS_PER_HOUR_MAX,
    windowSeconds: HOUR_SECONDS,
  });
  return async (request: HttpRequest): Promise<HttpResponse> => {
    const sent = await readForm(request, parts.origin);
    if ("status" in sent) return negotiatedErrorResponse(request, sent);
    const { edition } = splitEditionPrefix(parts.reading, request.url.pathname);
    const { faults, preview } = edition.texts;
    const now = parts.now();
    const decision = limits.take(request.address, now.getTime());
    if (!decision.accepted) {
      const minutes = Math.ceil(decision.retryAfterSeconds / 60);
      const message = faults.triedTooOften(ATTEMPTS_PER_HOUR_MAX, minutes);
      const tooOften = showAgain(parts, edition, { message, status: 429 });
      return withRetryAfter(tooOften, decision.retryAfterSeconds);
    }
    const code = sent.value("code");
    if (code.trim() === "") {
      return showAgain(parts, edition, { message: preview.codeMissing, status: 422 });
    }
    try {
      return await showSharedPreview(parts.sharedPreviews, code, {
        now,
        requestId: request.id,
        show: (view, reading) => formPageResponse(view, { ...parts, reading }, 200),
      });
    } catch (error) {
      return refusal(parts, edition, error);
    }
  };
}

function refusal(parts: HttpDependencies, edition: Edition, error: unknown): HttpResponse {
  const { faults, preview } = edition.texts;
  if (isTransientError(error)) {
    const response = showAgain(parts, edition, { message: faults.codeNotChecked, status: 503 });
    return withRetryAfter(response, error.retryAfterSeconds);
  }
  if (!(error instanceof AppError)) throw error;
  const message = error.code === "not_found" ? preview.codeWrong : preview.incomplete;
  return showAgain(parts, edition, { message, status: 422 });
}

/** Shows the form again without the code, which is a secret. */
function showAgain(
  parts: HttpDependencies,
  edition: Edition,
  { message, status }: { message: string; status: number },
): HttpResponse {
  const filled = { opened: "", values: {}, problems: [{ where: "code", message }] };
  const view = withFilledForm(buildPreviewPage(edition), { formId: "preview", edition }, filled);
  return formPageResponse(view, parts, status);
}
