import { withFilledForm, withFormOpeningTime } from "../../content/pages/built-in/contact-page.ts";
import {
  CONTACT_PATH,
  type FilledForm,
  type FormProblem,
  OPENED_AT_FIELD,
  type VisitorForm,
} from "../../content/pages/contact-forms.ts";
import { findPage } from "../../content/pages/find-page.ts";
import { NO_PARAMETERS } from "../../content/pages/paging.ts";
import type { PageView } from "../../content/pages/view.ts";
import { type Edition, editionPath } from "../../content/site/editions.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import type { HttpDependencies } from "../dependencies.ts";
import type { HttpResponse } from "../exchange.ts";
import { formPageResponse } from "./form-page.ts";
import { canReuseFormTime, signFormTime } from "./form-time.ts";
import type { SentForm } from "./sent-form.ts";

/** The contact page with a refused form: the visitor's input and its problems. */
export async function invalidFormPageResponse(
  sent: SentForm,
  {
    id,
    edition,
    values,
    parts,
    problems,
    status,
  }: {
    id: VisitorForm["id"];
    edition: Edition;
    values: Readonly<Record<string, string>>;
    parts: HttpDependencies;
    problems: FormProblem[];
    status: number;
  },
): Promise<HttpResponse> {
  const now = parts.now();
  const { formSecret } = parts.visitorForms;
  const newTime = signFormTime(formSecret, now);
  const signedTime = sent.value(OPENED_AT_FIELD);
  const opened = canReuseFormTime(formSecret, signedTime, now) ? signedTime : newTime;
  const filled: FilledForm = { opened, values, problems };
  const view = withFormOpeningTime(await contactView(parts, edition), newTime);
  return formPageResponse(withFilledForm(view, { formId: id, edition }, filled), parts, status);
}

/** The contact page, even if its address has changed. */
async function contactView({ reading }: HttpDependencies, edition: Edition): Promise<PageView> {
  const answer = await findPage(reading, editionPath(edition, CONTACT_PATH), NO_PARAMETERS);
  const found =
    answer.kind === "moved" ? await findPage(reading, answer.to, NO_PARAMETERS) : answer;
  if (found.kind !== "page")
    throw new AppError("not_found", englishOnlyWording("There is no contact page"));
  return found.view;
}
