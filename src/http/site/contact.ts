import type { z } from "zod";
import { IpAddressRateLimiter } from "../../access/address-limits.ts";
import { redactIssuedSecrets } from "../../access/credentials.ts";
import { keyRequestInputSchema, receiveKeyRequest } from "../../access/submissions/key-requests.ts";
import { messageInputSchema, receiveMessage } from "../../access/submissions/messages.ts";
import type { SubmissionStores } from "../../access/submissions/submission-stores.ts";
import type { SubmissionContext } from "../../access/submissions/submissions.ts";
import {
  buildVisitorForms,
  CONTACT_PATH,
  FORM_FIELD,
  type FormProblem,
  HONEYPOT_FIELD,
  KEY_REQUESTED_PATH,
  MESSAGE_SENT_PATH,
  OPENED_AT_FIELD,
  type VisitorForm,
} from "../../content/pages/contact-forms.ts";
import { type Edition, editionPath, splitEditionPrefix } from "../../content/site/editions.ts";
import { AppError, englishOnlyWording, isTransientError } from "../../errors.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import type { HttpDependencies } from "../dependencies.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { negotiatedErrorResponse } from "../problem.ts";
import { withRetryAfter } from "../retry-after.ts";
import { formProblemsFromError } from "./form-faults.ts";
import { seeOtherResponse } from "./form-page.ts";
import { findFormTimeError } from "./form-time.ts";
import { invalidFormPageResponse } from "./invalid-form.ts";
import { formDigest, RecentForms } from "./recent-forms.ts";
import { readForm, type SentForm } from "./sent-form.ts";

const HOUR_SECONDS = 3600;
const FORMS_PER_HOUR_MAX = 5;

/** How one kind of form is handled. */
interface FormHandler {
  id: VisitorForm["id"];
  /** Path of the confirmation page. */
  next: string;
  limits: IpAddressRateLimiter;
  recent: RecentForms;
  /** Validates the values of a form. Returns the problems, or a function that saves the form. */
  read(
    values: Readonly<Record<string, string>>,
    texts: SiteTexts,
  ): { problems: FormProblem[] } | { save: Save };
}

type Save = (stores: SubmissionStores, context: SubmissionContext) => Promise<unknown>;

/** Accepts the forms of the contact page. */
export function createContactFormHandler(parts: HttpDependencies) {
  const handlers = [
    createHandler("message", MESSAGE_SENT_PATH, messageInputSchema, receiveMessage),
    createHandler("key-request", KEY_REQUESTED_PATH, keyRequestInputSchema, receiveKeyRequest),
  ];
  return async (request: HttpRequest): Promise<HttpResponse> => {
    const sent = await readForm(request, parts.origin);
    if ("status" in sent) return negotiatedErrorResponse(request, sent);
    const handler = handlers.find(({ id }) => id === sent.value(FORM_FIELD));
    if (handler === undefined) {
      throw new AppError(
        "invalid",
        englishOnlyWording(
          `The field ${FORM_FIELD} must be one of ${handlers.map(({ id }) => id).join(", ")}: open ${parts.origin}${CONTACT_PATH} and send a form from there`,
        ),
      );
    }
    return await acceptMessage(request, sent, { handler, parts });
  };
}

async function acceptMessage(
  request: HttpRequest,
  sent: SentForm,
  { handler, parts }: { handler: FormHandler; parts: HttpDependencies },
): Promise<HttpResponse> {
  const now = parts.now();
  const { visitorForms: forms, origin } = parts;
  const { id, limits, recent, next } = handler;
  const { edition } = splitEditionPrefix(parts.reading, request.url.pathname);
  const { texts } = edition;
  const { faults } = texts;
  const values = valuesOf(id, sent, edition);
  const read = handler.read(values, texts);
  const problems = [
    ...botProblems(sent, { secret: forms.formSecret, now, texts }),
    ...("problems" in read ? read.problems : []),
  ];
  const showProblems = async (problems: FormProblem[], status: number) =>
    await invalidFormPageResponse(sent, { id, edition, values, parts, problems, status });
  if ("problems" in read || problems.length > 0) return await showProblems(problems, 422);
  const fields = [sent.value(OPENED_AT_FIELD), ...Object.values(values)];
  const confirmWhenSaved = async (saving: Promise<unknown>) => {
    try {
      await saving;
      return seeOtherResponse(editionPath(edition, next));
    } catch (error) {
      if (!isTransientError(error)) throw error;
      const response = await showProblems([{ where: "", message: faults.notSaved }], 503);
      return withRetryAfter(response, error.retryAfterSeconds);
    }
  };
  const earlierSave = recent.find(fields);
  if (earlierSave !== undefined) return await confirmWhenSaved(earlierSave);
  const decision = limits.take(request.address, now.getTime());
  if (!decision.accepted) {
    const minutes = Math.ceil(decision.retryAfterSeconds / 60);
    const message = faults.sentTooOften(FORMS_PER_HOUR_MAX, minutes);
    const response = await showProblems([{ where: "", message }], 429);
    return withRetryAfter(response, decision.retryAfterSeconds);
  }
  const { sendsMail } = forms;
  const context = { now, requestId: request.id, origin, sendsMail };
  const dedupe = { name: `form:${formDigest(fields)}`, fingerprint: "", sealed: "" };
  const saving = forms.atomically(async (stores) => {
    // After a double click, another process may have saved the form already.
    if ((await stores.idempotentResponses.find(dedupe.name)) !== null) return;
    await read.save(stores, context);
    await stores.idempotentResponses.store({ ...dedupe, storedAt: now.toISOString() });
  });
  recent.note(fields, saving);
  return await confirmWhenSaved(saving);
}

function createHandler<Input>(
  id: VisitorForm["id"],
  next: string,
  schema: z.ZodType<Input>,
  save: (stores: SubmissionStores, input: Input, context: SubmissionContext) => Promise<unknown>,
): FormHandler {
  return {
    id,
    next,
    limits: new IpAddressRateLimiter({ limit: FORMS_PER_HOUR_MAX, windowSeconds: HOUR_SECONDS }),
    recent: new RecentForms(),
    read(values, texts) {
      const parsed = schema.safeParse(values);
      if (!parsed.success) return { problems: formProblemsFromError(parsed.error, texts) };
      return { save: (stores, context) => save(stores, parsed.data, context) };
    },
  };
}

function botProblems(
  sent: SentForm,
  { secret, now, texts: { faults, form } }: { secret: string; now: Date; texts: SiteTexts },
): FormProblem[] {
  const fault = findFormTimeError(secret, sent.value(OPENED_AT_FIELD), now);
  return [
    ...(fault === null ? [] : [{ where: "", message: faults[fault] }]),
    ...(sent.value(HONEYPOT_FIELD) === ""
      ? []
      : [{ where: HONEYPOT_FIELD, message: form.leaveEmpty }]),
  ];
}

/**
 * The values of a form, with secrets redacted: people whose key does not work paste it into the form, and keys
 * must be neither stored nor mailed.
 */
function valuesOf(id: VisitorForm["id"], sent: SentForm, edition: Edition): Record<string, string> {
  const { fields } = buildVisitorForms(edition)[id];
  return Object.fromEntries(
    fields.map(({ name }) => [name, redactIssuedSecrets(sent.value(name))]),
  );
}
