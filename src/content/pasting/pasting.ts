import { type Actor, requireScope } from "../../access/actor.ts";
import { AppError } from "../../errors.ts";
import { LimitedThread } from "../../work/limited-thread.ts";

const CPU_SECONDS_MAX = 5;
const WAITING_MAX = 8;
const RETRY_SECONDS = 5;

const thread = new LimitedThread<string, { markdown: string }>({
  program: new URL("./paste-thread.ts", import.meta.url),
  verb: "convert",
  cpuSecondsMax: CPU_SECONDS_MAX,
});

/**
 * Converts pasted HTML to Markdown in a worker thread; see `convertPasteToMarkdown`.
 *
 * @throws {AppError} `invalid` if the HTML is too long or the conversion exceeds its time limit;
 * `unavailable` if too many requests wait.
 */
export async function convertPasteInWorker(actor: Actor, html: string): Promise<string> {
  requireScope(actor, "content:write");
  if (thread.queued >= WAITING_MAX) {
    const options = { retryAfterSeconds: RETRY_SECONDS };
    throw new AppError(
      "unavailable",
      {
        en: "Too much is being pasted right now: try again",
        de: "Gerade wird zu viel auf einmal eingefügt: Versuchen Sie es gleich noch einmal",
      },
      options,
    );
  }
  const response = await thread.run(html);
  if ("refusal" in response) throw new AppError("invalid", response.refusal);
  return response.markdown;
}
