import { type FormValues, formValuesOf, isControl, type NamedValue } from "./form-values.ts";
import { findChangedRange, mergeTexts } from "./text-merging.ts";

interface Link {
  to: string;
  title: string | null;
}

/** Changes that other people saved since this form's last save. */
export interface ConcurrentChanges {
  /** The current values of the controls; absent if no other person saved a change. */
  controls?: readonly NamedValue[];
  links?: Readonly<Record<string, readonly Link[]>>;
}

/**
 * Merges other people's changes into the form.
 *
 * @returns false on a conflict: both sides changed the same line or relation.
 */
export function mergeConcurrentChanges(
  form: HTMLFormElement,
  known: FormValues,
  { controls = [], links = {} }: ConcurrentChanges,
): boolean {
  const areTexts = controls.every(([name, value]) => mergeText(form, known, [name, value]));
  return areTexts && Object.entries(links).every((each) => mergeLinks(form, known, each));
}

function mergeText(
  form: HTMLFormElement,
  known: FormValues,
  [name, theirs]: readonly [name: string, value: string],
): boolean {
  const field = form.elements.namedItem(name);
  if (!(field instanceof Element && isControl(field))) return true;
  const combined = mergeTexts(known.get(name) ?? "", { mine: field.value, theirs });
  if (combined === null) return false;
  known.set(name, theirs);
  if (combined === field.value) return true;
  const hasCaret = field === document.activeElement && !(field instanceof HTMLSelectElement);
  if (hasCaret) replaceKeepingCaret(field, combined);
  else field.value = combined;
  return true;
}

function mergeLinks(
  form: HTMLFormElement,
  known: FormValues,
  [relation, links]: readonly [relation: string, links: readonly Link[]],
): boolean {
  const name = `r.${relation}`;
  if ((formValuesOf(form).get(name) ?? "") !== (known.get(name) ?? "")) return false;
  const field = form.querySelector(`fieldset[data-picker="${relation}"]`);
  field?.dispatchEvent(new CustomEvent("links", { detail: links }));
  known.set(name, formValuesOf(form).get(name) ?? "");
  return true;
}

/** Replaces a text and moves the caret with the text around it. */
function replaceKeepingCaret(field: HTMLTextAreaElement | HTMLInputElement, value: string): void {
  const { value: before, selectionStart: start, selectionEnd: end } = field;
  const { start: unchangedStart } = findChangedRange(before, value);
  const shiftedOffset = (at: number | null) =>
    at === null || at <= unchangedStart
      ? at
      : Math.max(unchangedStart, at + value.length - before.length);
  field.value = value;
  field.setSelectionRange(shiftedOffset(start), shiftedOffset(end));
}
