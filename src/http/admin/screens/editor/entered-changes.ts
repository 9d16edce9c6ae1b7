import type { DraftedItemParts } from "../../../../content/drafts/draft.ts";
import type { ContentType, Field } from "../../../../content/types/content-type.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { nonEmptyLines } from "../frame/non-empty-lines.ts";
import { expiryAndReviewFromForm } from "./date-fields.ts";
import { controlText, isTextAreaField } from "./draft-form.ts";
import { ITEM_ID } from "./item-id.ts";

/**
 * The changes entered in a form. `added` contains the names typed for new links, which are not
 * looked up yet.
 */
export function changesFromForm(
  form: SentForm,
  type: ContentType,
  { parts, hasItem, timeZone }: { parts: DraftedItemParts; hasItem: boolean; timeZone: string },
): { changes: Record<string, unknown>; added: Record<string, string[]> } {
  // Keyboards of phones add a space after a suggestion that is tapped.
  const path = form.value("path").trim();
  const language = form.value("language").trim();
  const fields = Object.entries(type.fields).map(([name, declared]) => [
    name,
    isUntouched(parts[`fields.${name}`], form.value(`f.${name}`), {
      isArea: isTextAreaField(declared),
    })
      ? parts[`fields.${name}`]
      : parseFieldText(form.value(`f.${name}`), declared),
  ]);
  const partValue = (name: string, isArea: boolean) =>
    isUntouched(parts[name], form.value(name), { isArea }) ? parts[name] : form.value(name);
  const relations = Object.keys(type.relations).map((name) => {
    const chosenIds = new Set(form.values(`r.${name}`));
    const links = parts[`relations.${name}`];
    const keptLinks = (Array.isArray(links) ? links : []).filter(({ to }) =>
      chosenIds.has(String(to)),
    );
    for (const { to } of keptLinks) chosenIds.delete(String(to));
    const addedLinks = [...chosenIds]
      .filter((id) => ITEM_ID.test(id))
      .map((to) => ({ to, note: null }));
    return [name, [...keptLinks, ...addedLinks]];
  });
  const added = Object.keys(type.relations).map((name) => [
    name,
    nonEmptyLines(form.value(`a.${name}`)),
  ]);
  return {
    changes: {
      title: partValue("title", false),
      summary: partValue("summary", true),
      body: partValue("body", true),
      // An empty path leaves the path of an existing item unchanged. For a new item, the path is
      // derived from the title.
      ...(path === "" && hasItem ? {} : { path: path === "" ? null : path }),
      language: language === "" ? null : language,
      ...expiryAndReviewFromForm(form, parts, timeZone),
      fields: Object.fromEntries(fields),
      relations: Object.fromEntries(relations),
    },
    added: Object.fromEntries(added),
  };
}

/**
 * Whether a control was submitted unchanged, so that the stored value is preserved. Ignores what
 * browsers do to line breaks: text areas convert them, and other controls remove them.
 */
function isUntouched(before: unknown, sent: string, { isArea }: { isArea: boolean }): boolean {
  if (before === undefined) return false;
  const text = controlText(before);
  return controlText(sent) === (isArea ? text : text.replaceAll("\n", ""));
}

/** Parses the value of a control. An invalid value stays as typed. */
function parseFieldText(text: string, { kind }: Field): unknown {
  if (kind === "text_list") {
    const lines = nonEmptyLines(text);
    return lines.length === 0 ? null : lines;
  }
  if (text.trim() === "") return null;
  if (kind === "integer" || kind === "number") {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  return kind === "boolean" ? text === "true" : text;
}
