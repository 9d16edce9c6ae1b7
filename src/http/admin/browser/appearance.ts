/**
 * This script previews the look after each change. Without the script, the button "Preview" shows
 * the preview.
 */

const DEBOUNCE_MS = 350;

const form = document.querySelector<HTMLFormElement>("form[data-preview]");
const button = document.querySelector<HTMLButtonElement>("#preview-button");
if (form !== null && button !== null) previewChanges(form, button);

function previewChanges(form: HTMLFormElement, button: HTMLButtonElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const preview = () => {
    if (form.checkValidity()) form.requestSubmit(button);
  };
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) selectOwnColour(form, target);
    clearTimeout(timer);
    timer = setTimeout(preview, DEBOUNCE_MS);
  });
  preview();
}

/** Selects the option to use a custom colour as soon as the colour is picked. */
function selectOwnColour(form: HTMLFormElement, { dataset }: HTMLInputElement): void {
  const box = form.elements.namedItem(dataset["own"] ?? "");
  if (box instanceof HTMLInputElement) box.checked = true;
}
