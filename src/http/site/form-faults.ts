import type { z } from "zod";
import type { FormProblem } from "../../content/pages/contact-forms.ts";
import type { SiteTexts } from "../../texts/site/english.ts";

/** The first problem of each field, in the visitor's language. */
export function formProblemsFromError(error: z.ZodError, texts: SiteTexts): FormProblem[] {
  const faults = new Map<string, string>();
  for (const issue of error.issues) {
    const where = issue.path.join(".");
    if (!faults.has(where)) faults.set(where, faultText(where, issue, texts));
  }
  return [...faults].map(([where, message]) => ({ where, message }));
}

function faultText(where: string, issue: z.core.$ZodIssue, { faults }: SiteTexts): string {
  switch (issue.code) {
    case "too_big":
      return faults.tooLong(Number(issue.maximum));
    case "too_small":
    case "invalid_type":
    case "invalid_value":
      return missingText(where, faults);
    case "invalid_format":
      return faults.emailWrong;
    case "custom":
      return issue.params?.["fault"] === "severalLines"
        ? faults.severalLines
        : faults.controlCharacters;
    default:
      return faults.other;
  }
}

function missingText(field: string, faults: SiteTexts["faults"]): string {
  switch (field) {
    case "name":
      return faults.nameMissing;
    case "email":
      return faults.emailMissing;
    case "text":
      return faults.messageMissing;
    case "task":
      return faults.taskMissing;
    case "access":
      return faults.accessMissing;
    default:
      return faults.other;
  }
}
