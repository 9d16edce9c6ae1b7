import type { BrowserContext, Request, Response } from "playwright-core";

/** Fields of forms whose values belong into the body of that form and nowhere else. */
const SECRET_FIELD = /password|code|token|secret/;
/** Shorter values, such as the six digits of an app, may be part of any number. */
const SECRET_CHARACTERS_MIN = 8;
/** Keys and codes that this program issues, and the usual names of parameters with a secret. */
const LOOKS_SECRET = /cpl[a-z]?_\w{8}|password=|token=|response=/;

/** Collects the secrets that browsers send and receive, and the addresses that they ask for. */
export class Secrets {
  /** Requested addresses, and those that a request named as its referrer. */
  readonly addresses: string[] = [];
  readonly #values = new Set<string>();
  readonly #reading: Promise<void>[] = [];

  watch(context: BrowserContext): void {
    context.on("request", (request) => this.#noteRequest(request));
    context.on("response", (response) => {
      this.#reading.push(this.#noteCookies(response));
    });
  }

  /** How many secrets were seen. */
  async count(): Promise<number> {
    await Promise.all(this.#reading);
    return this.#values.size;
  }

  /** The texts that contain a secret. */
  async within(texts: readonly string[]): Promise<string[]> {
    await Promise.all(this.#reading);
    const values = [...this.#values].flatMap((value) => [value, encodeURIComponent(value)]);
    return texts.filter(
      (text) => LOOKS_SECRET.test(text) || values.some((value) => text.includes(value)),
    );
  }

  #noteRequest(request: Request): void {
    this.addresses.push(request.url());
    const { referer } = request.headers();
    if (referer !== undefined) this.addresses.push(referer);
    for (const [name, value] of new URLSearchParams(request.postData() ?? "")) {
      if (SECRET_FIELD.test(name)) this.#note(value);
    }
  }

  async #noteCookies(response: Response): Promise<void> {
    // A page that is left meanwhile has no headers any more.
    const headers = await response.headersArray().catch(() => []);
    for (const { name, value } of headers) {
      if (name.toLowerCase() === "set-cookie") this.#note(/=([^;]*)/.exec(value)?.[1] ?? "");
    }
  }

  #note(value: string): void {
    if (value.length >= SECRET_CHARACTERS_MIN) this.#values.add(value);
  }
}
