import { ORIGIN } from "./open-fixture.ts";
import type { Browser, PeopleSite } from "./people.ts";
import { sendTo } from "./send-to.ts";

/** Sends files like the form of a page, with the token of that page unless another is given. */
export async function sendFiles(
  { app }: Pick<PeopleSite, "app">,
  { cookies, get }: Browser,
  {
    page,
    path = page,
    files,
    token,
  }: {
    page: string;
    path?: string;
    files: readonly File[];
    token?: string | undefined;
  },
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const own = / name="token" value="([^"]+)"/.exec((await get(page)).text)?.[1];
  const form = new FormData();
  form.set("token", token ?? own ?? "");
  for (const file of files) form.append("file", file);
  const sent = new Response(form);
  return await sendTo(app.http, path, {
    method: "POST",
    headers: {
      "Content-Type": sent.headers.get("content-type") ?? "",
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      Origin: ORIGIN,
      "Sec-Fetch-Site": "same-origin",
      ...headers,
    },
    body: new Uint8Array(await sent.arrayBuffer()),
  });
}
