/** Previews the look after each change. Without this script, the button "Preview" does so. */
const PAUSE_MS = 350;

const form = document.querySelector<HTMLFormElement>("form[data-preview]");
const button = document.querySelector<HTMLButtonElement>("#preview-button");
if (form !== null && button !== null) previewChanges(form, button);

function previewChanges(form: HTMLFormElement, button: HTMLButtonElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const preview = () => {
    if (form.checkValidity()) form.requestSubmit(button);
  };
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) chooseOwn(form, target);
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE_MS);
  });
  preview();
}

/** Picking a colour also selects the option to use it. */
function chooseOwn(form: HTMLFormElement, { dataset }: HTMLInputElement): void {
  const box = form.elements.namedItem(dataset["own"] ?? "");
  if (box instanceof HTMLInputElement) box.checked = true;
}
