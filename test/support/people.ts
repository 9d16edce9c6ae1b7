import assert from "node:assert/strict";
import { inviteAdmin } from "../../src/access/people/admin-codes.ts";
import type { Role } from "../../src/access/people/roles.ts";
import { type Fixture, type FixtureOptions, NOW, ORIGIN, openFixture } from "./open-fixture.ts";
import { OPERATOR } from "./record-store.ts";
import { sendTo } from "./send-to.ts";

export const PASSWORD = "a few words in a row";

export interface PeopleSite extends AsyncDisposable {
  app: Fixture;
  /** The service's current time. */
  clock: { now: Date };
  /** Advances the clock. */
  wait(seconds: number): void;
  /** Sets the wall clock wrong, or right again, without advancing the steady clock. */
  jump(seconds: number): void;
  /** Invites a person and returns the code. */
  invite(email: string, role?: Role): Promise<{ id: string; code: string }>;
  /** Returns the browser of a person who has chosen {@link PASSWORD} and signed in. */
  person(email: string, role?: Role): Promise<Browser & { id: string }>;
  /** A browser without a session. It has an unused address unless one is given. */
  browser(address?: string): Browser;
}

/** A browser that keeps cookies by the rules of their prefixes, and sends forms as pages do. */
export interface Browser {
  address: string;
  cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Shown>;
  /** Sends a form of a page, with the token of that page. Headers with empty values are left out. */
  send(
    path: string,
    values?: Readonly<Record<string, string>> | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Shown>;
  signIn(email: string, password?: string): Promise<Shown>;
}

export interface Shown {
  status: number;
  headers: Headers;
  text: string;
  /** The fault that the page states; empty: none. */
  fault: string;
  location: string | null;
}

/** The site with its accounts, on a separate store. */
export async function openPeopleSite(options: FixtureOptions = {}): Promise<PeopleSite> {
  const clock = { now: NOW };
  let jumpedMilliseconds = 0;
  const monotonic = () => clock.now.getTime() - jumpedMilliseconds;
  const { now = () => clock.now } = options;
  const app = await openFixture({ monotonic, ...options, now });
  const invite = async (email: string, role: Role = "editor") => {
    const input = { email, name: email.split("@")[0] ?? "", role };
    const delivery = { now: now(), origin: ORIGIN, sendsMail: false };
    const { admin, code } = await app.record.atomically((stores) =>
      inviteAdmin(stores, OPERATOR, input, delivery),
    );
    return { id: admin.id, code: code ?? "" };
  };
  const browser = (address = anyAddress()) => openBrowser(app, address);
  const wait = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1000);
  };
  return {
    app,
    clock,
    wait,
    jump(seconds) {
      jumpedMilliseconds += seconds * 1000;
      wait(seconds);
    },
    invite,
    async person(email, role) {
      const { id, code } = await invite(email, role);
      const personBrowser = browser();
      const { status, text } = await personBrowser.send("/admin/claim", {
        code,
        "new-password": PASSWORD,
      });
      assert.equal(status, 303, text);
      return { ...personBrowser, id };
    },
    browser,
    [Symbol.asyncDispose]: () => app.close(),
  };
}

/** A browser connected to a running instance. */
export function openBrowser(app: Pick<Fixture, "http">, address = anyAddress()): Browser {
  const cookies = new Map<string, string>();
  let token = "";
  const ask = async (path: string, init: RequestInit): Promise<Shown> => {
    const given = Object.entries(init.headers ?? {}).filter(([, value]) => value !== "");
    const headers = new Headers(Object.fromEntries(given));
    headers.set("X-Forwarded-For", address);
    headers.set("User-Agent", "Test Browser");
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie !== "" && !headers.has("Cookie")) headers.set("Cookie", cookie);
    const response = await sendTo(app.http, path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      keepCookie(cookies, line);
      token = "";
    }
    const text = await response.text();
    token = / name="token" value="([^"]+)"/.exec(text)?.[1] ?? token;
    return {
      status: response.status,
      headers: response.headers,
      text,
      fault: /<p class="fault" role="alert">([^<]+)<\/p>/.exec(text)?.[1] ?? "",
      location: response.headers.get("location"),
    };
  };
  const get: Browser["get"] = async (path, headers = {}) => await ask(path, { headers });
  const openForm = async () => {
    const { location } = await get("/admin/account");
    if (location !== null) await get(location);
  };
  const send: Browser["send"] = async (path, values = {}, headers = {}) => {
    const fields = new URLSearchParams(values);
    if (cookies.size > 0 && token === "" && !fields.has("token")) await openForm();
    if (!fields.has("token")) fields.set("token", token);
    return await ask(path, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        Origin: ORIGIN,
        "Sec-Fetch-Site": "same-origin",
        ...headers,
      },
      body: String(fields),
    });
  };
  return {
    address,
    cookies,
    get,
    send,
    signIn: async (email, password = PASSWORD) => await send("/admin/sign-in", { email, password }),
  };
}

/** Keeps a cookie as browsers do. With this prefix, it must be Secure, without a domain and for all paths. */
function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split("; ");
  const [name = "", value = ""] = pair.split("=");
  assert(name.startsWith("__Host-"), line);
  for (const attribute of ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]) {
    assert(attributes.includes(attribute), line);
  }
  assert(!attributes.some((attribute) => attribute.startsWith("Domain")), line);
  if (attributes.includes("Max-Age=0")) cookies.delete(name);
  else cookies.set(name, value);
}

let browsers = 0;

function anyAddress(): string {
  browsers += 1;
  return `198.51.${Math.floor(browsers / 250)}.${(browsers % 250) + 1}`;
}
