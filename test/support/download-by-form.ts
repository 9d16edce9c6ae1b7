import { ORIGIN } from "./open-fixture.ts";
import type { Browser, PeopleSite } from "./people.ts";
import { sendTo } from "./send-to.ts";

/** Presses the button of a form whose answer is a file, as a browser without scripts does. */
export async function downloadByForm(
  { app }: Pick<PeopleSite, "app">,
  { cookies, get }: Browser,
  { page, path }: { page: string; path: string },
): Promise<Response> {
  const token = / name="token" value="([^"]+)"/.exec((await get(page)).text)?.[1] ?? "";
  return await sendTo(app.http, path, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      Origin: ORIGIN,
      "Sec-Fetch-Site": "same-origin",
    },
    body: new URLSearchParams({ token }).toString(),
  });
}
