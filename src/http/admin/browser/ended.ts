/** Shows the unsaved input of a draft that was published or discarded. */
const place = document.querySelector<HTMLElement>("[data-kept]");
if (place !== null) showKept(place);

function showKept(place: HTMLElement): void {
  const stored = localStorage.getItem(place.dataset["kept"] ?? "");
  if (stored === null) return;
  const { texts }: { texts: readonly (readonly [name: string, value: string])[] } =
    JSON.parse(stored);
  const heading = document.createElement("h2");
  heading.textContent = place.dataset["label"] ?? "";
  place.append(heading);
  for (const [, value] of texts) {
    const area = document.createElement("textarea");
    area.readOnly = true;
    area.rows = 4;
    area.value = value;
    area.setAttribute("aria-label", place.dataset["label"] ?? "");
    place.append(area);
  }
}
