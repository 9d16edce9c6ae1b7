/**
 * This script reports every few seconds that this browser has the draft open, and shows which other
 * people have the draft open. Drafts are not locked, because concurrent changes are merged.
 */

const PING_MS = 15_000;

const line = document.querySelector<HTMLElement>("[data-presence]");
if (line !== null) announce(line, line.dataset["presence"] ?? "");

function announce(line: HTMLElement, path: string): void {
  const ping = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(path, { method: "POST", body: fields(), redirect: "manual" });
      line.textContent = answer.status === 200 ? (await answer.json()).text : "";
    } catch {
      // Clears the line, because presence is unknown without a connection.
      line.textContent = "";
    }
  };
  void ping();
  setInterval(ping, PING_MS);
  document.addEventListener("visibilitychange", ping);
  addEventListener("pagehide", () => navigator.sendBeacon(path, fields({ leave: "yes" })));
}

/** The fields of a request. Reads the token from the form each time, because a new sign-in replaces it. */
function fields(more: Record<string, string> = {}): URLSearchParams {
  const token = document.querySelector<HTMLInputElement>('form[data-autosave] [name="token"]');
  return new URLSearchParams({ ...more, token: token?.value ?? "" });
}
