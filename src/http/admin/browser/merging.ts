import { changeOf, combine } from "./combining.ts";
import { isControl, type NamedValue, type Values, valuesOf } from "./form-values.ts";

interface Link {
  to: string;
  title: string | null;
}

/** Changes that other people saved since this form's last save. */
export interface SavedChanges {
  /** The current values of the controls; absent: nothing was saved. */
  controls?: readonly NamedValue[];
  links?: Readonly<Record<string, readonly Link[]>>;
}

/**
 * Merges other people's changes into the form.
 *
 * @returns false on a conflict: both sides changed the same line or relation.
 */
export function mergeSaved(
  form: HTMLFormElement,
  known: Values,
  { controls = [], links = {} }: SavedChanges,
): boolean {
  const areTexts = controls.every(([name, value]) => takeText(form, known, [name, value]));
  return areTexts && Object.entries(links).every((each) => takeLinks(form, known, each));
}

function takeText(
  form: HTMLFormElement,
  known: Values,
  [name, theirs]: readonly [name: string, value: string],
): boolean {
  const field = form.elements.namedItem(name);
  if (!(field instanceof Element && isControl(field))) return true;
  const combined = combine(known.get(name) ?? "", { mine: field.value, theirs });
  if (combined === null) return false;
  known.set(name, theirs);
  if (combined === field.value) return true;
  const hasCaret = field === document.activeElement && !(field instanceof HTMLSelectElement);
  if (hasCaret) replaceAround(field, combined);
  else field.value = combined;
  return true;
}

function takeLinks(
  form: HTMLFormElement,
  known: Values,
  [relation, links]: readonly [relation: string, links: readonly Link[]],
): boolean {
  const name = `r.${relation}`;
  if ((valuesOf(form).get(name) ?? "") !== (known.get(name) ?? "")) return false;
  const field = form.querySelector(`fieldset[data-picker="${relation}"]`);
  field?.dispatchEvent(new CustomEvent("links", { detail: links }));
  known.set(name, valuesOf(form).get(name) ?? "");
  return true;
}

/** Replaces a text and keeps the caret where it was. */
function replaceAround(field: HTMLTextAreaElement | HTMLInputElement, value: string): void {
  const { value: before, selectionStart: start, selectionEnd: end } = field;
  const { start: same } = changeOf(before, value);
  const moved = (at: number | null) =>
    at === null || at <= same ? at : Math.max(same, at + value.length - before.length);
  field.value = value;
  field.setSelectionRange(moved(start), moved(end));
}
