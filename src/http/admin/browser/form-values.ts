/**
 * Values, keyed by control name. Checkboxes of the same name have one value: the checked ids, one
 * per line.
 */
export type FormValues = Map<string, string>;

export type NamedValue = readonly [name: string, value: string];

export function formValuesOf(form: HTMLFormElement): FormValues {
  const values: FormValues = new Map();
  for (const field of form.elements) {
    if (!isControl(field) || !isContent(field.name)) continue;
    const isBox = field.type === "checkbox";
    if (!isBox) values.set(field.name, field.value);
    else if (!values.has(field.name)) values.set(field.name, "");
    if (isBox && field instanceof HTMLInputElement && field.checked) {
      values.set(field.name, `${values.get(field.name)}${field.value}\n`);
    }
  }
  return values;
}

export function isControl(
  field: Element,
): field is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement
  );
}

/**
 * Whether a control is autosaved. Names typed to add links, and choices between the versions in a
 * conflict, are saved only by a button.
 */
function isContent(name: string): boolean {
  return name !== "" && name !== "version" && name !== "token" && !/^(a|take)\./.test(name);
}
