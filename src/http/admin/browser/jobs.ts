import { faultOf } from "./faults.ts";

/** Shows the progress of a job. */
const FOLLOW_MS = 1000;

const shown = document.querySelector<HTMLElement>("[data-progress]");
if (shown?.dataset["progress"]) void follow(shown, shown.dataset["progress"]);

async function follow(shown: HTMLElement, path: string): Promise<void> {
  const bar = document.querySelector("progress");
  const begun = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
    const answer = await fetch(path).catch(() => null);
    if (answer === null) shown.textContent = faultOf(answer, document.body.dataset);
    if (answer?.status !== 200) continue;
    const { done, total, text, isOver } = await answer.json();
    if (isOver) return location.reload();
    if (bar !== null) [bar.value, bar.max] = [done, Math.max(total, 1)];
    const perSecond = done / ((performance.now() - begun) / 1000);
    const left = Math.ceil((total - done) / perSecond);
    const rate = done > 0 ? ` · ${Math.round(perSecond)}/s · ${left} s` : "";
    shown.textContent = text + rate;
  }
}
