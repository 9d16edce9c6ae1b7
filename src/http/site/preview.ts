import { AddressRateLimiter } from "../../access/address-limits.ts";
import { showSharedPreview } from "../../content/editing/shared-preview.ts";
import { withFilledForm } from "../../content/pages/contact-page.ts";
import { previewPage } from "../../content/pages/preview-page.ts";
import { type Edition, editionAndUnprefixedPath } from "../../content/site/editions.ts";
import { AppError, isTransient } from "../../errors.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { negotiatedErrorAnswer } from "../problem.ts";
import { withRetryAfter } from "../retry-after.ts";
import { formPageAnswer } from "./form-page.ts";
import { readForm } from "./sent-form.ts";

const HOUR_SECONDS = 3600;
const ATTEMPTS_PER_HOUR_MAX = 60;

/**
 * Shows a draft to people with a code for it. The code is in the body of a POST, so that no
 * address, log or referrer contains it. Every attempt counts towards a rate limit, to prevent
 * guessing.
 */
export function previewCodeHandler(parts: HttpParts) {
  const limits = new AddressRateLimiter({
    limit: ATTEMPTS_PER_HOUR_MAX,
    windowSeconds: HOUR_SECONDS,
  });
  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const sent = await readForm(request, parts.origin);
    if ("status" in sent) return negotiatedErrorAnswer(request, sent);
    const { edition } = editionAndUnprefixedPath(parts.reading, request.url.pathname);
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
        show: (view, reading) => formPageAnswer(view, { ...parts, reading }, 200),
      });
    } catch (error) {
      return refusal(parts, edition, error);
    }
  };
}

function refusal(parts: HttpParts, edition: Edition, error: unknown): HttpAnswer {
  const { faults, preview } = edition.texts;
  if (isTransient(error)) {
    const response = showAgain(parts, edition, { message: faults.codeNotChecked, status: 503 });
    return withRetryAfter(response, error.retryAfterSeconds);
  }
  if (!(error instanceof AppError)) throw error;
  const message = error.code === "not_found" ? preview.codeWrong : preview.incomplete;
  return showAgain(parts, edition, { message, status: 422 });
}

/** Shows the form again without the code, which is a secret. */
function showAgain(
  parts: HttpParts,
  edition: Edition,
  { message, status }: { message: string; status: number },
): HttpAnswer {
  const filled = { opened: "", values: {}, problems: [{ where: "code", message }] };
  const view = withFilledForm(previewPage(edition), { formId: "preview", edition }, filled);
  return formPageAnswer(view, parts, status);
}
