import { uploadFile } from "./uploading.ts";

/**
 * This script uploads files one by one, from the file input, by drag and drop or from the
 * clipboard, and shows progress. Without the script, one request sends all files.
 */

const form = document.querySelector<HTMLFormElement>("form[data-upload]");
if (form !== null) acceptFiles(form);

function acceptFiles(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>("input[type=file]");
  const hint = form.querySelector<HTMLElement>("[data-drop-hint]");
  if (hint !== null) hint.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void sendAll(form, [...(input?.files ?? [])]);
  });
  input?.addEventListener("change", () => void sendAll(form, [...(input.files ?? [])]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    void sendAll(form, [...(event.dataTransfer?.files ?? [])]);
  });
  document.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void sendAll(form, files);
  });
}

async function sendAll(form: HTMLFormElement, files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const list = form.querySelector("[data-progress]");
  const added: { id: string }[] = [];
  let failures = 0;
  for (const file of files) {
    const line = document.createElement("li");
    line.textContent = (form.dataset["uploading"] ?? "").replace("{name}", file.name);
    list?.append(line);
    const result = await uploadFile(form, file);
    if ("fault" in result) {
      failures += 1;
      line.className = "fault";
      line.textContent = (form.dataset["failed"] ?? "")
        .replace("{name}", file.name)
        .replace("{fault}", result.fault);
      continue;
    }
    added.push(result);
    line.remove();
  }
  const [onlyFile] = added;
  if (failures > 0) return;
  location.href =
    added.length === 1 && onlyFile !== undefined ? `/admin/media/${onlyFile.id}` : "/admin/media";
}
