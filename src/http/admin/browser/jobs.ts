import { requestErrorText } from "./faults.ts";

/** This script shows the progress of a job. */

const POLL_MS = 1000;

const progressText = document.querySelector<HTMLElement>("[data-progress]");
if (progressText?.dataset["progress"]) void follow(progressText, progressText.dataset["progress"]);

async function follow(progressText: HTMLElement, path: string): Promise<void> {
  const bar = document.querySelector("progress");
  const startedAt = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const answer = await fetch(path).catch(() => null);
    if (answer === null) progressText.textContent = requestErrorText(answer, document.body.dataset);
    if (answer?.status !== 200) continue;
    const { done, total, text, isOver } = await answer.json();
    if (isOver) return location.reload();
    if (bar !== null) [bar.value, bar.max] = [done, Math.max(total, 1)];
    const perSecond = done / ((performance.now() - startedAt) / 1000);
    const secondsLeft = Math.ceil((total - done) / perSecond);
    const rate = done > 0 ? ` · ${Math.round(perSecond)}/s · ${secondsLeft} s` : "";
    progressText.textContent = text + rate;
  }
}
