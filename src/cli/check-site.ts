/** A response with its whole body. */
export interface SiteResponse {
  status: number;
  bytes: Buffer;
  text: string;
  header(name: string): string;
}

/** Access to a running site. */
export interface SiteClient {
  /** Origin to connect to. */
  origin: string;
  /** Origin that the site's own documents give; may differ from `origin` behind a proxy. */
  declaredOrigin: string;
  get(address: string, headers?: Record<string, string>): Promise<SiteResponse>;
  send(
    address: string,
    request: { method: string; body?: string; headers?: Record<string, string> },
  ): Promise<SiteResponse>;
}

export const HTML_ACCEPT_HEADER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
export const MARKDOWN_ACCEPT_HEADER = "text/markdown";

const ANSWER_SECONDS_MAX = 15;

/** Returns access to a running site; reads `declaredOrigin` from its home page. @throws network errors. */
export async function openSiteClient(url: URL): Promise<SiteClient> {
  const { origin } = url;
  const home = await request(`${origin}/`, { headers: { accept: MARKDOWN_ACCEPT_HEADER } });
  const canonical = /^canonical: "?(?<url>https?:[^"\s]+)/m.exec(home.text)?.groups?.["url"];
  const declaredOrigin = URL.parse(canonical ?? "")?.origin ?? origin;
  const absolute = (address: string) => {
    const stated = new URL(address, `${origin}/`);
    return stated.origin === declaredOrigin
      ? origin + stated.pathname + stated.search
      : stated.href;
  };
  return {
    origin,
    declaredOrigin,
    get: (address, headers = {}) => request(absolute(address), { headers }),
    send: (address, { method, body, headers = {} }) =>
      request(absolute(address), { method, headers, ...(body === undefined ? {} : { body }) }),
  };
}

/** The value at a path in parsed JSON, or undefined. */
export function jsonValueAt(value: unknown, ...path: (string | number)[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Object.entries(found).find(([name]) => name === String(key))?.[1];
  }
  return found;
}

/** The list at a path in parsed JSON; empty if there is no list. */
export function jsonListAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = jsonValueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The parsed body, or undefined if it is not JSON. */
export function parseJson({ text }: SiteResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function request(url: string, init: RequestInit): Promise<SiteResponse> {
  const response = await fetch(url, {
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_SECONDS_MAX * 1000),
    ...init,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    bytes,
    text: bytes.toString(),
    header: (name) => response.headers.get(name) ?? "",
  };
}
