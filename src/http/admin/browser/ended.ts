/** This script shows the unsaved input of a draft that was published or discarded. */

const container = document.querySelector<HTMLElement>("[data-kept]");
if (container !== null) showUnsavedInput(container);

function showUnsavedInput(container: HTMLElement): void {
  const stored = localStorage.getItem(container.dataset["kept"] ?? "");
  if (stored === null) return;
  const { texts }: { texts: readonly (readonly [name: string, value: string])[] } =
    JSON.parse(stored);
  const heading = document.createElement("h2");
  heading.textContent = container.dataset["label"] ?? "";
  container.append(heading);
  for (const [, value] of texts) {
    const area = document.createElement("textarea");
    area.readOnly = true;
    area.rows = 4;
    area.value = value;
    area.setAttribute("aria-label", container.dataset["label"] ?? "");
    container.append(area);
  }
}
