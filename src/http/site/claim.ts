import { AddressLimits } from "../../access/address-limits.ts";
import { claimKey } from "../../access/submissions/key-approvals.ts";
import { CLAIM_FORM, CLAIM_PATH } from "../../content/pages/contact-forms.ts";
import { claimedPage, contactPage, withFilledForm } from "../../content/pages/contact-page.ts";
import { AppError, isTransient } from "../../errors.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { errorAnswer } from "../problem.ts";
import { retryAfter } from "../retry-after.ts";
import { formPageAnswer } from "./form-page.ts";
import { readForm } from "./sent-form.ts";

const HOUR_SECONDS = 3600;
const TRIED_AN_HOUR_MAX = 10;
const TRY_AGAIN =
  "We cannot check your code at the moment. It is still valid: enter it again in a minute";

/**
 * Exchanges a claim code for its key, which is shown only this once. Every attempt counts towards the
 * limit, against guessing.
 */
export function takeClaims(parts: HttpParts) {
  const limits = new AddressLimits({ limit: TRIED_AN_HOUR_MAX, windowSeconds: HOUR_SECONDS });
  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const sent = await readForm(request, parts.origin);
    if ("status" in sent) return errorAnswer(request, sent);
    const now = parts.now();
    const decision = limits.take(request.address, now.getTime());
    if (!decision.accepted) {
      const minutes = Math.ceil(decision.retryAfterSeconds / 60);
      const message = `Your network has tried ${TRIED_AN_HOUR_MAX} codes in an hour: try again in ${minutes} minutes`;
      return retryAfter(showAgain(parts, message, 429), decision.retryAfterSeconds);
    }
    const code = sent.value("code");
    if (code.trim() === "") return showAgain(parts, "Enter your claim code", 422);
    try {
      const circumstances = { now, requestId: request.id };
      const { key, record } = await parts.visitorForms.atomically((stores) =>
        claimKey(stores, code, circumstances),
      );
      const view = claimedPage(parts.reading, { key, record, origin: parts.origin });
      return formPageAnswer(view, parts, 200);
    } catch (error) {
      if (isTransient(error)) return askToRetry(parts, error);
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      return showAgain(parts, error.message, 422);
    }
  };
}

/** The code stays valid if it could not be looked up. */
function askToRetry(parts: HttpParts, { retryAfterSeconds }: AppError): HttpAnswer {
  return retryAfter(showAgain(parts, TRY_AGAIN, 503), retryAfterSeconds);
}

/** Shows the form again without the input, which may be a secret. */
function showAgain(parts: HttpParts, message: string, status: number): HttpAnswer {
  const view = contactPage(parts.reading, CLAIM_PATH);
  if (view === null) throw new Error("The claim page is gone");
  const problems = [{ where: "code", message }];
  const filled = withFilledForm(view, CLAIM_FORM, { opened: "", values: {}, problems });
  return formPageAnswer(filled, parts, status);
}
