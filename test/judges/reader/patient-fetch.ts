import { setTimeout as wait } from "node:timers/promises";

const TRIES = 20;

/** Fetches a page, and again a second later while the server is overloaded, as it is on a busy machine. */
export async function patientFetch(
  url: string,
  headers: Readonly<Record<string, string>> = { accept: "text/html" },
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, { headers, redirect: "error" });
    if (answer.status === 200) return answer;
    await answer.body?.cancel();
    if (answer.status !== 503 || tries === TRIES) {
      throw new Error(`${url} answers ${answer.status}`);
    }
    await wait(1000);
  }
}
