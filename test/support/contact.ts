import { type Fixture, type FixtureOptions, NOW, ORIGIN, openFixture } from "./open-fixture.ts";
import { sendTo } from "./send-to.ts";

export interface ContactSite extends AsyncDisposable {
  app: Fixture;
  /** The service's current time. */
  clock: { now: Date };
  /** Advances the clock. */
  wait(seconds: number): void;
  /** Opens the contact page now, as a browser does. */
  open(path?: string): Promise<{ html: string; opened: string }>;
  /** Sends a form as a browser does, a minute after the page was opened. */
  send(
    form: "message" | "key-request",
    values: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  post(
    path: string,
    body: string | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  claim(code: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export const MESSAGE = { name: "Ada", email: "ada@reader.example", text: "A page is missing." };
export const REQUEST = {
  name: "Ada Lovelace",
  email: "ada@reader.example",
  organisation: "Analytical Society",
  task: "Find what was said about time",
  data: "Quotations",
  access: "read",
};

/** The site with its forms, on a separate store. */
export async function openContactSite(options: FixtureOptions = {}): Promise<ContactSite> {
  const clock = { now: NOW };
  const app = await openFixture({
    ...options,
    now: () => clock.now,
    config: { trustProxy: true, ...options.config },
  });
  const wait = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1000);
  };
  const open = async (path = "/contact") => {
    const html = await (await app.get(path, { accept: "text/html" })).text();
    return { html, opened: / name="opened" value="([^"]+)"/.exec(html)?.[1] ?? "" };
  };
  const post: ContactSite["post"] = async (path, body, headers = {}) =>
    await sendTo(app.http, path, {
      method: "POST",
      headers: {
        Accept: "text/html",
        "Content-Type": "application/x-www-form-urlencoded",
        Origin: ORIGIN,
        "Sec-Fetch-Site": "same-origin",
        "X-Forwarded-For": anyAddress(),
        ...headers,
      },
      body: String(body),
    });
  return {
    app,
    clock,
    wait,
    open,
    post,
    async send(form, values, headers) {
      const { opened } = await open();
      wait(60);
      return await post("/contact", new URLSearchParams({ form, opened, ...values }), headers);
    },
    claim: async (code, headers) =>
      await post("/contact/claim", new URLSearchParams({ form: "claim", code }), headers),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

let visitors = 0;

/** Every visitor has a different address, unless a test chooses it. */
function anyAddress(): string {
  visitors += 1;
  return `198.51.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`;
}
