import { AppError, englishOnlyWording, type Problem } from "../../errors.ts";
import { REFUSALS_FOR_PROGRAMS } from "../../texts/refusals/english.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import type { Edition } from "../site/editions.ts";
import { filterLabel } from "./filter-labels.ts";

/** Returns why a list is refused, in the language of `texts`. */
export type RejectionReason = (texts: SiteTexts["refusals"]) => string;

/**
 * The error for a list that cannot be shown as requested. Its message is in English, for programs
 * and agents; pages word the reason in the language of their edition.
 */
export class InvalidListRequestError extends AppError {
  readonly reason: RejectionReason;

  constructor(
    code: "not_found" | "gone" | "invalid",
    reason: RejectionReason,
    problems: readonly Problem[] = [],
  ) {
    super(code, englishOnlyWording(reason(REFUSALS_FOR_PROGRAMS)), { problems });
    this.reason = reason;
  }
}

/** The error for a filter. Its message names the filter; its problem states only the reason. */
export function invalidFilterError(name: string, reason: RejectionReason): InvalidListRequestError {
  return new InvalidListRequestError("invalid", (texts) => texts.filter(name, reason(texts)), [
    { where: `filters.${name}`, message: englishOnlyWording(reason(REFUSALS_FOR_PROGRAMS)) },
  ]);
}

/**
 * The error for an argument other than a filter. Its message names the argument; its problem states
 * only the reason.
 */
export function invalidArgumentError(
  name: string,
  reason: RejectionReason,
): InvalidListRequestError {
  return new InvalidListRequestError("invalid", (texts) => texts.argument(name, reason(texts)), [
    { where: name, message: englishOnlyWording(reason(REFUSALS_FOR_PROGRAMS)) },
  ]);
}

/** Why a list is refused, as a sentence in the language of an edition. */
export function formatListRequestError(error: AppError, edition: Edition): string {
  const reason = reasonIn(edition, error);
  return reason.endsWith("…") ? reason : reason + edition.texts.refusals.fullStop;
}

function reasonIn(edition: Edition, error: AppError): string {
  const { language, refusals } = edition.texts;
  const types = [...edition.types.values()];
  if (!(error instanceof InvalidListRequestError))
    return language === "en" ? error.message : refusals.other;
  const filter = (name: string, reason: string) =>
    refusals.filter(filterLabel(name, types, edition), reason);
  return error.reason({ ...refusals, filter });
}
