/**
 * This script shows a preview of the page next to the text, and reloads the preview after every
 * save. Without the script, the button opens the preview.
 */

const button = document.querySelector<HTMLButtonElement>("[data-show-preview]");
const form = button?.form;
if (button !== null && form != null) watchPreview(button, form);

function watchPreview(button: HTMLButtonElement, form: HTMLFormElement): void {
  let frame: HTMLIFrameElement | null = null;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", (event) => {
    event.preventDefault();
    if (frame === null) {
      frame = document.createElement("iframe");
      frame.title = button.textContent;
      frame.className = "preview";
      frame.src = form.dataset["preview"] ?? "";
      form.after(frame);
      if (matchMedia("(max-width: 75rem)").matches) frame.scrollIntoView({ block: "start" });
    } else {
      frame.remove();
      frame = null;
    }
    button.setAttribute("aria-pressed", String(frame !== null));
    document.body.classList.toggle("with-preview", frame !== null);
  });
  form.addEventListener("saved", () => frame?.contentWindow?.location.reload());
}
