import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type State = "good" | "moved" | "broken" | "unsure";

/** How addresses behave, and the expected report on them. */
export interface Behaviour {
  answer: Answer;
  state: State;
  fault: RegExp | null;
  /** Number per thousand links. The rest are good. */
  share?: number;
}

/** Number of addresses of each behaviour without a share. They take seconds, or need a separate host. */
const FEW = 8;
/** Their first position, after those with a share in the first thousand. */
const FEW_FROM = 500;
const LINKS_PER_HOST = 20;
const REST_SECONDS = 3;
const TURN_MILLISECONDS = 1000;

export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  good: { answer: status(200), state: "good", fault: null, share: 0 },
  missing: { answer: status(404), state: "broken", fault: /^It answers 404$/, share: 3 },
  gone: { answer: status(410), state: "broken", fault: /^It answers 410$/, share: 1 },
  forbidden: { answer: status(403), state: "unsure", fault: /^It answers 403$/, share: 1 },
  moved: { answer: leadTo((path) => `/good${path}`, 301), state: "moved", fault: null, share: 2 },
  // HEAD fails, but the page exists.
  lies: { answer: byMethod(status(404), status(200)), state: "good", fault: null, share: 1 },
  // Announces a page and sends none.
  cheats: {
    answer: byMethod(status(500), (request, response) => {
      response.writeHead(200, { "Content-Length": 1000 }).write("<p>");
      setImmediate(() => request.socket.destroy());
    }),
    state: "unsure",
    fault: /cut/,
  },
  loops: {
    answer: leadTo((path) => `${path}#again`),
    state: "unsure",
    fault: /in a circle/,
    share: 1,
  },
  wanders: { answer: leadTo((path) => `${path}/on`), state: "unsure", fault: /more than 5 times/ },
  dawdles: { answer: () => {}, state: "unsure", fault: /^No answer within 10 seconds$/ },
  trickles: {
    answer: byMethod(status(500), (_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 200);
      response.on("close", () => clearInterval(drip));
    }),
    state: "unsure",
    fault: /^No answer within 10 seconds$/,
  },
  floods: {
    answer: byMethod(status(501), (_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
    }),
    state: "good",
    fault: null,
  },
  babbles: {
    answer: (request) => void request.socket.end("Good day\r\n\r\n"),
    state: "unsure",
    fault: /not HTTP/,
  },
  rests: {
    answer: status(429, { "Retry-After": String(REST_SECONDS) }),
    state: "unsure",
    fault: /^It answers 429$/,
  },
};

function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => void response.writeHead(code, headers).end();
}

function leadTo(target: (path: string) => string, code = 302): Answer {
  return ({ url = "" }, response) => void response.writeHead(code, { Location: target(url) }).end();
}

function byMethod(head: Answer, get: Answer): Answer {
  return (request, response) => (request.method === "HEAD" ? head : get)(request, response);
}

/** Many hosts, each an address of the loopback network, that count the requests they receive. */
export class HostileWeb implements AsyncDisposable {
  /** How often each link was requested. */
  readonly asked = new Map<string, number>();
  requests = 0;
  /** The most concurrent connections. */
  openMax = 0;
  longestAnswerBytes = 0;
  /** By how many milliseconds at most a host was requested earlier than one second after the last request. */
  earlyMillisecondsMax = 0;
  /** Requests to hosts that had asked for a pause. */
  disturbed = 0;
  readonly #due = new Map<string, number>();
  readonly #restUntil = new Map<string, number>();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #open = 0;
  #port = 0;

  static async open(): Promise<HostileWeb> {
    const web = new HostileWeb();
    web.#server.on("connection", (socket) => {
      web.#open += 1;
      // A connection may be accepted before a closed one is read to its end. The kernel knows which are still
      // open.
      if (web.#open > web.openMax) web.openMax = Math.max(web.openMax, web.#established());
      socket.once("close", () => {
        web.#open -= 1;
        web.longestAnswerBytes = Math.max(web.longestAnswerBytes, socket.bytesWritten);
      });
    });
    web.#server.listen(0, "0.0.0.0");
    await once(web.#server, "listening");
    const address = web.#server.address();
    if (address === null || typeof address === "string") throw new Error("It has no port");
    web.#port = address.port;
    return web;
  }

  /** Addresses to link to. Their behaviours are spread over the hosts. */
  links(count: number): string[] {
    const hosts = Math.ceil(count / LINKS_PER_HOST);
    const names = Array.from({ length: count }, (_, n) => behaviourOf(n));
    const few = Object.keys(BEHAVIOURS).filter((name) => BEHAVIOURS[name]?.share === undefined);
    few.forEach((name, place) => {
      for (let n = 0; n < FEW; n += 1) names[FEW_FROM + n * few.length + place] = name;
    });
    return names.map((name, n) => {
      const host = name === "rests" ? `127.200.0.${1 + (n % 2)}` : hostOf(n % hosts);
      return `http://${host}:${this.#port}/${name}/${n}`;
    });
  }

  /** Connections that neither side has closed (`/proc/net/tcp`, proc(5)). */
  #established(): number {
    const port = this.#port.toString(16).toUpperCase().padStart(4, "0");
    const rows = readFileSync("/proc/net/tcp", "latin1").split("\n");
    const isOpen = new RegExp(`^\\s*\\d+: [\\dA-F]{8}:${port} [\\dA-F]{8}:[\\dA-F]{4} 01 `);
    return rows.filter((row) => isOpen.test(row)).length;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { host = "" } = request.headers;
    const path = request.url ?? "";
    this.requests += 1;
    if (request.method === "HEAD") {
      const url = `http://${host}${path}`;
      this.asked.set(url, (this.asked.get(url) ?? 0) + 1);
    }
    const now = performance.now();
    const due = this.#due.get(host) ?? now;
    this.earlyMillisecondsMax = Math.max(this.earlyMillisecondsMax, due - now);
    this.#due.set(host, Math.max(due, now) + TURN_MILLISECONDS);
    if (now < (this.#restUntil.get(host) ?? 0)) this.disturbed += 1;
    const name = path.split("/", 2)[1] ?? "";
    // The answer takes time to arrive.
    if (name === "rests") this.#restUntil.set(host, now + (REST_SECONDS - 0.5) * 1000);
    (BEHAVIOURS[name]?.answer ?? status(404))(request, response);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The behaviours with a share; all other addresses are good. */
function behaviourOf(n: number): string {
  let place = n % 1000;
  for (const [name, { share = 0 }] of Object.entries(BEHAVIOURS)) {
    if (place < share) return name;
    place -= share;
  }
  return "good";
}

function hostOf(n: number): string {
  return `127.100.${1 + Math.floor(n / 250)}.${1 + (n % 250)}`;
}
