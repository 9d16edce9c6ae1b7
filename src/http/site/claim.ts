import { IpAddressRateLimiter } from "../../access/address-limits.ts";
import { claimKey } from "../../access/submissions/key-claims.ts";
import { buildClaimedKeyPage, buildClaimPage } from "../../content/pages/built-in/claim-page.ts";
import { withFilledForm } from "../../content/pages/built-in/contact-page.ts";
import { type Edition, splitEditionPrefix } from "../../content/site/editions.ts";
import { AppError, isTransientError } from "../../errors.ts";
import type { HttpDependencies } from "../dependencies.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { negotiatedErrorResponse } from "../problem.ts";
import { withRetryAfter } from "../retry-after.ts";
import { formPageResponse } from "./form-page.ts";
import { readForm } from "./sent-form.ts";

const HOUR_SECONDS = 3600;
const ATTEMPTS_PER_HOUR_MAX = 10;

/**
 * Exchanges a claim code for its key, which is shown only this once, or twice if the button is tapped
 * twice. Every attempt counts towards the rate limit, to prevent guessing.
 */
export function createClaimCodeHandler(parts: HttpDependencies) {
  const { reading } = parts;
  const limits = new IpAddressRateLimiter({
    limit: ATTEMPTS_PER_HOUR_MAX,
    windowSeconds: HOUR_SECONDS,
  });
  return async (request: HttpRequest): Promise<HttpResponse> => {
    const sent = await readForm(request, parts.origin);
    if ("status" in sent) return negotiatedErrorResponse(request, sent);
    const { edition } = splitEditionPrefix(reading, request.url.pathname);
    const showProblem = (message: string, status: number) =>
      showAgain(parts, edition, { message, status });
    const { faults } = edition.texts;
    const now = parts.now();
    const decision = limits.take(request.address, now.getTime());
    if (!decision.accepted) {
      const minutes = Math.ceil(decision.retryAfterSeconds / 60);
      const refusal = showProblem(faults.triedTooOften(ATTEMPTS_PER_HOUR_MAX, minutes), 429);
      return withRetryAfter(refusal, decision.retryAfterSeconds);
    }
    const code = sent.value("code");
    if (code.trim() === "") return showProblem(faults.codeMissing, 422);
    try {
      const context = { now, requestId: request.id, address: request.address };
      const { key, record } = await parts.visitorForms.atomically((stores) =>
        claimKey(stores, code, context),
      );
      const view = buildClaimedKeyPage(edition, { key, record, origin: parts.origin });
      return formPageResponse(view, parts, 200);
    } catch (error) {
      if (isTransientError(error)) {
        // The code may be valid, but could not be checked now; the visitor can submit it again.
        return withRetryAfter(showProblem(faults.codeNotChecked, 503), error.retryAfterSeconds);
      }
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      return showProblem(faults.codeWrong, 422);
    }
  };
}

/** Shows the form again, without the input, which may be a secret. */
function showAgain(
  parts: HttpDependencies,
  edition: Edition,
  { message, status }: { message: string; status: number },
): HttpResponse {
  const view = buildClaimPage(edition);
  const problems = [{ where: "code", message }];
  const filled = { opened: "", values: {}, problems };
  return formPageResponse(
    withFilledForm(view, { formId: "claim", edition }, filled),
    parts,
    status,
  );
}
