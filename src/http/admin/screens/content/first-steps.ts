import { hasOtherAdmins } from "../../../../access/people/admins.ts";
import {
  type FirstStepsProgress,
  readFirstStepsProgress,
} from "../../../../content/site/first-steps.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { actionForm } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { TIME_ZONE_PATH } from "../site/settings.ts";

interface Step {
  /** The screen for the step; null: the step itself contains a form. */
  path: string | null;
  label: string;
  isDone: boolean;
  form?: SafeHtml;
}

/**
 * The steps for setting up a new site, in order. Null if all steps are done, or if the person is not
 * allowed to do any of them.
 */
export async function firstStepsHtml(visit: ScreenVisit): Promise<SafeHtml | null> {
  const { parts, signedIn, texts } = visit;
  const state = await readFirstStepsProgress(parts.stores.content, signedIn.actor);
  if (state === null) return null;
  const steps = await stepsFor(visit, state);
  if (steps.every(({ isDone }) => isDone)) return null;
  const t = texts.desk.first;
  const lines = steps.map(({ path, label, isDone, form }) =>
    isDone
      ? html`<li>${label} <span class="tag good">${t.done}</span></li>\n`
      : html`<li>${path === null ? html`<p><strong>${label}</strong></p>` : html`<a href="${path}">${label}</a>`}${form}</li>\n`,
  );
  return html`<h2>${t.title}</h2>\n<ol class="cards">\n${lines}</ol>\n`;
}

async function stepsFor(
  visit: ScreenVisit,
  { isNamed, hasLook, hasTimeZone, unwrittenHome, isOpen }: FirstStepsProgress,
): Promise<Step[]> {
  const { parts, signedIn, texts } = visit;
  const t = texts.desk.first;
  const { scopes } = signedIn.actor;
  const steps: Step[] = [];
  if (scopes.includes("settings:write"))
    steps.push(
      { path: "/admin/settings", label: t.name, isDone: isNamed },
      { path: null, label: t.timeZone, isDone: hasTimeZone, form: timeZoneForm(visit) },
      { path: "/admin/appearance", label: t.look, isDone: hasLook },
    );
  if (scopes.includes("content:publish"))
    steps.push({
      path: null,
      label: t.home,
      isDone: unwrittenHome === null,
      ...(unwrittenHome !== null && { form: editForm(visit, unwrittenHome) }),
    });
  if (scopes.includes("admins:manage")) {
    const isDone = await hasOtherAdmins(parts.people.admins, signedIn.actor);
    steps.push({ path: "/admin/people", label: t.invite, isDone });
  }
  if (scopes.includes("settings:write"))
    steps.push({ path: "/admin/settings", label: t.open, isDone: isOpen });
  return steps;
}

function editForm(visit: ScreenVisit, { id }: { id: string }): SafeHtml {
  const { item, desk } = visit.texts;
  const path = `/admin/content/${id}/edit`;
  const form = actionForm(visit, path, { button: item.edit, isQuiet: true });
  return html`\n<p class="hint">${desk.first.homeHint}</p>\n${form}`;
}

/**
 * A form for the site's time zone. A script fills in the browser's time zone, so that one click is
 * enough.
 */
function timeZoneForm(visit: ScreenVisit): SafeHtml {
  const t = visit.texts.settings;
  return actionForm(visit, TIME_ZONE_PATH, {
    button: t.save,
    isQuiet: true,
    content: html`<label>${t.timeZone} <input name="timeZone" placeholder="Europe/Vienna" autocomplete="off" required data-own-time-zone></label> `,
  });
}
