import type { z } from "zod";
import { AddressLimits } from "../../access/address-limits.ts";
import { redactSecrets } from "../../access/credentials.ts";
import { keyRequestInputSchema, requestKey } from "../../access/submissions/key-requests.ts";
import { messageInputSchema, receiveMessage } from "../../access/submissions/messages.ts";
import type { SubmissionStores } from "../../access/submissions/submission-stores.ts";
import type { SubmissionContext } from "../../access/submissions/submissions.ts";
import { describeIssue } from "../../content/items/issue-messages.ts";
import {
  CONTACT_PATH,
  type FilledForm,
  FORM_FIELD,
  type FormProblem,
  KEY_REQUEST_FORM,
  KEY_REQUESTED_PATH,
  MESSAGE_FORM,
  MESSAGE_SENT_PATH,
  OPENED_FIELD,
  TRAP_FIELD,
  type VisitorForm,
} from "../../content/pages/contact-forms.ts";
import { withFilledForm, withOpenedForms } from "../../content/pages/contact-page.ts";
import { findPage } from "../../content/pages/find-page.ts";
import type { PageView } from "../../content/pages/view.ts";
import { AppError, isTransient } from "../../errors.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { errorAnswer } from "../problem.ts";
import { retryAfter } from "../retry-after.ts";
import { formPageAnswer, seeOther } from "./form-page.ts";
import { canReuseTime, signTime, timeFault } from "./form-time.ts";
import { digestOf, RecentForms } from "./recent-forms.ts";
import { readForm, type SentForm } from "./sent-form.ts";

const HOUR_SECONDS = 3600;
const SENT_AN_HOUR_MAX = 5;

const TRY_AGAIN =
  "We cannot save what you sent at the moment. It is still below as you wrote it: send it again in a minute, or write to us by e-mail";

/** How one kind of form is handled. */
interface FormHandler {
  form: VisitorForm;
  /** Path of the confirmation page. */
  next: string;
  limits: AddressLimits;
  recent: RecentForms;
  /** Validates a form and prepares its storage, or returns its faults. */
  read(sent: SentForm): { problems: FormProblem[] } | { save: Save };
}

type Save = (stores: SubmissionStores, circumstances: SubmissionContext) => Promise<unknown>;

/** Accepts the forms of the contact page. */
export function takeContactForms(parts: HttpParts) {
  const handlers = [
    handlerOf(MESSAGE_FORM, MESSAGE_SENT_PATH, messageInputSchema, receiveMessage),
    handlerOf(KEY_REQUEST_FORM, KEY_REQUESTED_PATH, keyRequestInputSchema, requestKey),
  ];
  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const sent = await readForm(request, parts.origin);
    if ("status" in sent) return errorAnswer(request, sent);
    const handler = handlers.find(({ form }) => form.id === sent.value(FORM_FIELD));
    if (handler === undefined) {
      throw new AppError(
        "invalid",
        `The field ${FORM_FIELD} must be one of ${handlers.map(({ form }) => form.id).join(", ")}: open ${parts.origin}${CONTACT_PATH} and send a form from there`,
      );
    }
    return await take(request, sent, { handler, parts });
  };
}

async function take(
  request: HttpRequest,
  sent: SentForm,
  { handler, parts }: { handler: FormHandler; parts: HttpParts },
): Promise<HttpAnswer> {
  const now = parts.now();
  const { visitorForms, origin } = parts;
  const { form, limits, recent, next } = handler;
  const read = handler.read(sent);
  const problems = [
    ...botProblems(sent, visitorForms.formSecret, now),
    ...("problems" in read ? read.problems : []),
  ];
  if ("problems" in read || problems.length > 0) {
    return await showAgain(sent, { form, parts, problems, status: 422 });
  }
  const fields = [sent.value(OPENED_FIELD), ...Object.values(valuesOf(form, sent))];
  const confirmWhenSaved = async (saving: Promise<unknown>) => {
    try {
      await saving;
      return seeOther(next);
    } catch (error) {
      if (!isTransient(error)) throw error;
      return await askToResend(sent, error, { form, parts });
    }
  };
  const same = recent.find(fields);
  if (same !== undefined) return await confirmWhenSaved(same);
  const decision = limits.take(request.address, now.getTime());
  if (!decision.accepted) {
    const minutes = Math.ceil(decision.retryAfterSeconds / 60);
    const message = `Your network has sent this form ${SENT_AN_HOUR_MAX} times in an hour: send it again in ${minutes} minutes, or write to us by e-mail`;
    const again = { form, parts, problems: [{ where: "", message }], status: 429 };
    return retryAfter(await showAgain(sent, again), decision.retryAfterSeconds);
  }
  const { sendsMail } = visitorForms;
  const circumstances = { now, requestId: request.id, origin, sendsMail };
  const dedupe = { name: `form:${digestOf(fields)}`, fingerprint: "", sealed: "" };
  const saving = visitorForms.atomically(async (stores) => {
    // The first click may have reached another process.
    if ((await stores.idempotentReplies.find(dedupe.name)) !== null) return;
    await read.save(stores, circumstances);
    await stores.idempotentReplies.store({ ...dedupe, keptAt: now.toISOString() });
  });
  recent.note(fields, saving);
  return await confirmWhenSaved(saving);
}

/** The record is unavailable: shows the form again with its input, to be sent later. */
async function askToResend(
  sent: SentForm,
  { retryAfterSeconds }: AppError,
  { form, parts }: { form: VisitorForm; parts: HttpParts },
): Promise<HttpAnswer> {
  const problems = [{ where: "", message: TRY_AGAIN }];
  const answer = await showAgain(sent, { form, parts, problems, status: 503 });
  return retryAfter(answer, retryAfterSeconds);
}

function handlerOf<Input>(
  form: VisitorForm,
  next: string,
  schema: z.ZodType<Input>,
  save: (
    stores: SubmissionStores,
    input: Input,
    circumstances: SubmissionContext,
  ) => Promise<unknown>,
): FormHandler {
  return {
    form,
    next,
    limits: new AddressLimits({ limit: SENT_AN_HOUR_MAX, windowSeconds: HOUR_SECONDS }),
    recent: new RecentForms(),
    read(sent) {
      const parsed = schema.safeParse(valuesOf(form, sent), { error: describeIssue });
      if (parsed.success) {
        return { save: (stores, circumstances) => save(stores, parsed.data, circumstances) };
      }
      const faults = new Map<string, string>();
      for (const { path, message } of parsed.error.issues) {
        const where = path.join(".");
        if (!faults.has(where)) faults.set(where, message);
      }
      return { problems: [...faults].map(([where, message]) => ({ where, message })) };
    },
  };
}

function botProblems(sent: SentForm, secret: string, now: Date): FormProblem[] {
  const fault = timeFault(secret, sent.value(OPENED_FIELD), now);
  return [
    ...(fault === null ? [] : [{ where: "", message: fault }]),
    ...(sent.value(TRAP_FIELD) === ""
      ? []
      : [{ where: TRAP_FIELD, message: "Leave this field empty" }]),
  ];
}

/** Shows the form again with its input. */
async function showAgain(
  sent: SentForm,
  {
    form,
    parts,
    problems,
    status,
  }: { form: VisitorForm; parts: HttpParts; problems: FormProblem[]; status: number },
): Promise<HttpAnswer> {
  const now = parts.now();
  const { formSecret } = parts.visitorForms;
  const newTime = signTime(formSecret, now);
  const signedTime = sent.value(OPENED_FIELD);
  const opened = canReuseTime(formSecret, signedTime, now) ? signedTime : newTime;
  const filled: FilledForm = { opened, values: valuesOf(form, sent), problems };
  const view = withOpenedForms(await contactView(parts), newTime);
  return formPageAnswer(withFilledForm(view, form, filled), parts, status);
}

/** The contact page, even if it has moved. */
async function contactView({ reading }: HttpParts): Promise<PageView> {
  const request = { parameter: () => undefined };
  const answer = await findPage(reading, CONTACT_PATH, request);
  const found = answer.kind === "moved" ? await findPage(reading, answer.to, request) : answer;
  if (found.kind !== "page") throw new AppError("not_found", "There is no contact page");
  return found.view;
}

/**
 * Redacts secrets: people paste keys they have trouble with, which must not reach the store or a mailbox.
 */
function valuesOf({ fields }: VisitorForm, sent: SentForm): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, redactSecrets(sent.value(name))]));
}
