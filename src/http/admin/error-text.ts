import type { DraftProblem } from "../../content/drafts/draft.ts";
import { MARKDOWN_SLOTS } from "../../content/site/look/look.ts";
import type { AppError, Problem } from "../../errors.ts";
import type { AdminVisit } from "./admin-route.ts";
import { typesWithScreenLabels } from "./screens/frame/screen-types.ts";
import { languageName } from "./texts/choose.ts";
import type { Texts } from "./texts/english.ts";
import { itemPartLabels } from "./texts/part-labels.ts";

type LabelContext = Pick<AdminVisit, "texts" | "parts">;
type Fault = Pick<AppError, "wording" | "heading" | "problems">;

/** The error in the language of the screen, with fields named by their labels. */
export function errorText({ wording, heading, problems }: Fault, visit: LabelContext): string {
  const { language } = visit.texts;
  if (heading === null) return wording[language];
  const lines = problems.map((problem) => problemText(problem, visit)).join("; ");
  return heading[language] === "" ? lines : `${heading[language]}. ${lines}`;
}

/** Why a scheduled draft was not published, worded like {@link errorText}. */
export function draftProblemText(problem: DraftProblem, visit: LabelContext): string {
  return errorText({ ...problem, wording: problem }, visit);
}

/** The label of a field, followed by its problem. */
export function problemText({ where, message }: Problem, { texts, parts }: LabelContext): string {
  const text = message[texts.language];
  if (where === "") return text;
  return `${labelOf(where, { texts, parts })}: ${text}`;
}

/**
 * The label of a path such as `fields.year`, or the path itself if it has no label. The position of
 * a list entry follows the label: 3 for `menus.en[2].to`.
 */
function labelOf(where: string, { texts, parts }: LabelContext): string {
  const part = HOME_PART.exec(where)?.groups;
  if (part !== undefined) return homeLabel(part, texts);
  const translated = /^translations\.(?<language>[\w-]+)\.(?<rest>.+)$/.exec(where)?.groups;
  if (translated !== undefined) {
    const { language = "", rest = "" } = translated;
    const label = labelOf(rest, { texts, parts });
    return texts.languages.ofLanguage(label, languageName(language, texts));
  }
  const numbers = [...where.matchAll(/\[(\d+)\]/g)].map(([, at]) => Number(at) + 1);
  const field = where.replaceAll(/\[\d+\]/g, "");
  const label =
    fieldLabel(field, { texts, parts }) ??
    entryLabel(field, texts) ??
    fieldLabels(texts)[field] ??
    field;
  return numbers.length === 0 ? label : `${label} ${numbers.join(".")}`;
}

/** Matches the path of a block of an edition's home page, such as `home[2].paths[0]`. */
const HOME_PART =
  /^(?:translations\.[\w-]+\.)?home\[(?<at>\d+)\](?:\.(?<name>\w+)(?:\[(?<line>\d+)\])?)?$/;

function homeLabel(
  { at, name = "", line }: Readonly<Record<string, string | undefined>>,
  { home }: Texts,
): string {
  const labels: Readonly<Record<string, string>> = home.parts;
  return home.at(Number(at) + 1, labels[name] ?? "", line === undefined ? null : Number(line) + 1);
}

/** The label of an entry in an edition's navigation. */
function entryLabel(field: string, { navigation }: Texts): string | undefined {
  if (!field.startsWith("menus.")) return undefined;
  return field.endsWith(".label") ? navigation.label : navigation.to;
}

function fieldLabel(field: string, { texts, parts }: LabelContext): string | undefined {
  const [, group, name = ""] = /^(fields|relations)\.(.+)$/.exec(field) ?? [];
  if (group === undefined) return undefined;
  const types = typesWithScreenLabels(parts.reading.types(), texts.language);
  const declared = [...types.values()].map((type) =>
    group === "fields" ? type.fields[name] : type.relations[name],
  );
  return declared.find((each) => each !== undefined)?.label;
}

/** Labels of input paths that are not fields of a type, keyed by their names in the API. */
function fieldLabels(texts: Texts): Readonly<Record<string, string>> {
  const { keys, redirects, webhooks, many, media, settings, appearance, types } = texts;
  return {
    ...itemPartLabels(texts),
    publishAt: texts.publish.at,
    name: keys.name,
    owner: keys.holder,
    ratePerMinute: keys.rate,
    expiresAt: keys.expires,
    scopes: texts.requests.access,
    from: redirects.from,
    to: redirects.to,
    leadTo: redirects.to,
    url: webhooks.url,
    events: webhooks.events,
    find: many.replace.find,
    replace: many.replace.with,
    alt: media.words,
    credit: media.credit,
    description: settings.description,
    label: types.singular,
    plural: types.plural,
    timeZone: settings.timeZone,
    whenToUse: settings.whenToUse,
    "contact.email": settings.email,
    "retention.messageDays": settings.messageDays,
    "retention.statisticsDays": settings.statisticsDays,
    email: texts.people.email,
    menus: texts.navigation.title,
    navigation: texts.navigation.title,
    "look.accent": appearance.accent,
    "look.paper": appearance.paper,
    "look.ink": appearance.ink,
    "look.dark.accent": appearance.accent,
    "look.dark.ink": appearance.ink,
    "look.css": appearance.css,
    "look.logo": appearance.logo,
    "look.favicon": appearance.favicon,
    ...slotLabels("look.slots.", appearance.slot),
    ...slotLabels("slots.", appearance.slot),
    languages: texts.languages.title,
    "licence.name": settings.licence,
    "licence.url": settings.licenceUrl,
  };
}

function slotLabels(
  prefix: string,
  labels: Texts["appearance"]["slot"],
): Readonly<Record<string, string>> {
  return Object.fromEntries(MARKDOWN_SLOTS.map((slot) => [`${prefix}${slot}`, labels[slot]]));
}
