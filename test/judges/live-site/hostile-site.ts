import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** An address to which no packet leaves: the judge runs in a network of its own, with this address on it. */
export const PUBLIC_IP = "93.184.216.34";
export const INNER_IPS = ["127.0.0.1", "169.254.169.254"] as const;
export const HOSTS = `${PUBLIC_IP} society.example www.society.example
${INNER_IPS[0]} localhost inner.example
${INNER_IPS[1]} metadata.example
`;
export const ORIGIN = "http://society.example";
/** Every page of this origin redirects into the inner network. */
export const REDIRECTING_PORT = 81;
/** Its robots.txt redirects into the inner network. */
export const MISLEADING_PORT = 82;
/** Its robots.txt asks for two seconds between requests. */
export const SLOW_PORT = 83;

const PAGE_CHARACTERS = 20_000;
const PICTURE_BYTES = 60_000;
const RETRY_SECONDS = 1;
const BUSY_PAGES = 3;
const DRIP_MILLISECONDS = 1000;

export interface Request {
  host: string;
  path: string;
  atMilliseconds: number;
}

/**
 * A site that obstructs whoever copies it: forbidden paths, hosts that ask to wait, circles of redirects, a
 * calendar without end, answers that never end, and ways into the inner network.
 */
export class HostileSite implements AsyncDisposable {
  readonly requests: Request[] = [];
  /** Requests that reached the inner network. */
  readonly innerRequests: string[] = [];
  /** Whether some answers never end. */
  isEndless = true;
  /** Whether some pages are changed, and others removed. */
  isLater = false;
  /** Bytes sent, with headers. */
  bytesSent = 0;
  onRequest: () => void = () => {};
  readonly #pages: number;
  readonly #servers: Server[] = [];
  readonly #asked = new Set<string>();

  constructor(pages: number) {
    this.#pages = pages;
  }

  async open(): Promise<void> {
    for (const port of [80, REDIRECTING_PORT, MISLEADING_PORT, SLOW_PORT]) {
      const server = createServer((request, response) => this.#answer(port, request, response));
      server.on("connection", (socket) => {
        socket.on("close", () => {
          this.bytesSent += socket.bytesWritten;
        });
      });
      await this.#listen(server, port, PUBLIC_IP);
    }
    for (const address of INNER_IPS) {
      const inner = createServer((request, response) => {
        this.innerRequests.push(`${address}${request.url}`);
        response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Secret</h1>");
      });
      await this.#listen(inner, 80, address);
    }
  }

  async #listen(server: Server, port: number, address: string): Promise<void> {
    server.listen(port, address);
    await once(server, "listening");
    this.#servers.push(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #answer(port: number, request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "";
    const host = request.headers.host ?? "";
    this.requests.push({ host, path, atMilliseconds: performance.now() });
    this.onRequest();
    if (port === REDIRECTING_PORT && path !== "/robots.txt") {
      leadTo(response, "http://metadata.example/latest/");
    } else if (port === MISLEADING_PORT && path === "/robots.txt") {
      leadTo(response, "http://inner.example/robots.txt");
    } else if (port === SLOW_PORT) slowSite(path, response);
    else if (path.startsWith("/loop/")) leadTo(response, path === "/loop/a" ? "b" : "a");
    else if (path === "/out") leadTo(response, "http://metadata.example/out");
    else if (path === "/drip") drip(response);
    else if (path === "/flood") flood(response);
    else this.#answerWithContent(path, request, response);
  }

  #answerWithContent(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (path.startsWith("/busy/") && !this.#asked.has(path)) {
      this.#asked.add(path);
      response.writeHead(429, { "Retry-After": String(RETRY_SECONDS) }).end();
      return;
    }
    const content = this.#contentAt(path);
    if (content === null) {
      response.writeHead(path === "/page/1" ? 410 : 404).end("There is no such page");
      return;
    }
    const etag = `"${createHash("sha256").update(content.body).digest("base64url")}"`;
    if (request.headers["if-none-match"] === etag) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { "Content-Type": content.type, ETag: etag }).end(content.body);
  }

  #contentAt(path: string): { type: string; body: string | Buffer } | null {
    const html = (body: string) => ({ type: "text/html; charset=utf-8", body });
    if (path === "/robots.txt") {
      const body = `User-agent: *\nDisallow: /private/\nSitemap: ${ORIGIN}/sitemap.xml\n`;
      return { type: "text/plain", body };
    }
    if (path === "/sitemap.xml") return { type: "application/xml", body: this.#sitemap() };
    if (path === "/") return html(this.#home());
    const month = numberAfter("/calendar/", path);
    if (month !== null) {
      return html(
        `<h1>Month ${month}</h1><a href="/calendar/${month + 1}">Next</a> <a href="/calendar?month=${month}">Show</a>`,
      );
    }
    const busy = numberAfter("/busy/", path);
    if (busy !== null && busy < BUSY_PAGES) return html("<h1>Busy</h1>");
    const picture = numberAfter("/pictures/", path.replace(/\.png$/, ""));
    if (picture !== null && picture < this.#pages) {
      return { type: "image/png", body: Buffer.alloc(PICTURE_BYTES, picture) };
    }
    const page = numberAfter("/page/", path);
    if (page === null || page >= this.#pages || (this.isLater && page % 10 === 1)) return null;
    return html(this.#page(page));
  }

  #sitemap(): string {
    const pages = Array.from({ length: this.#pages }, (_, at) => at).filter((at) => at % 2 === 0);
    const urls = pages.map((at) => `<url><loc>http://www.society.example/page/${at}</loc></url>`);
    return `<urlset><url><loc>http://inner.example/from-sitemap</loc></url>${urls.join("")}</urlset>`;
  }

  #home(): string {
    const busy = Array.from({ length: BUSY_PAGES }, (_, at) => `/busy/${at}`);
    const endless = this.isEndless ? ["/drip", "/flood"] : [];
    const inner = [
      ...INNER_IPS.map((address) => `http://${address}/link`),
      "http://inner.example/link",
      "http://metadata.example/link",
      "http://[::ffff:127.0.0.1]/link",
      "http://2130706433/link",
    ];
    const links = ["/private/a", "/loop/a", "/out", "/calendar/1", "/missing", ...busy];
    const anchors = [...links, ...endless, ...inner].map((to) => `<a href="${to}">${to}</a>`);
    return `<h1>Society</h1>${anchors.join(" ")}<img src="http://metadata.example/picture.png">`;
  }

  #page(at: number): string {
    const word = this.isLater && at % 20 === 2 ? "changed " : `word${at} `;
    const text = word.repeat(PAGE_CHARACTERS / word.length);
    return `<!doctype html><title>Page ${at}</title><main><h1>Page ${at}</h1><p>${text}</p><a href="/page/${at + 1}">On</a><img src="/pictures/${at}.png" alt=""></main>`;
  }
}

function slowSite(path: string, response: ServerResponse): void {
  if (path === "/robots.txt") {
    response.writeHead(200).end("User-agent: Commonplace\nCrawl-delay: 2\n");
    return;
  }
  const at = numberAfter("/", path) ?? 0;
  if (at > 2 || path.endsWith(".xml")) response.writeHead(404).end();
  else response.writeHead(200, { "Content-Type": "text/html" }).end(`<a href="/${at + 1}">On</a>`);
}

function numberAfter(start: string, path: string): number | null {
  const digits = path.startsWith(start) ? path.slice(start.length) : "";
  return /^\d+$/.test(digits) ? Number(digits) : null;
}

function leadTo(response: ServerResponse, to: string): void {
  response.writeHead(302, { Location: to }).end();
}

/** Sends a byte a second, for ever. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/html" });
  const timer = setInterval(() => response.write("."), DRIP_MILLISECONDS);
  response.on("close", () => clearInterval(timer));
}

/** Sends as much as the client reads, for ever. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/pdf" });
  const chunk = Buffer.alloc(256 * 1024, "x");
  const send = () => {
    while (!response.destroyed && response.write(chunk)) {}
  };
  response.on("drain", send);
  send();
}
