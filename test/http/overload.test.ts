import assert from "node:assert/strict";
import { Agent, get, type IncomingMessage } from "node:http";
import { after, describe, it } from "node:test";
import { createHttpServer } from "../../src/http/socket/listener.ts";
import { createLog } from "../../src/log.ts";
import { ended, listening } from "../support/listening.ts";

const COST_MILLISECONDS = 4;
const KEY = "Bearer right";

let cutOff = 0;
const server = createHttpServer(
  ({ target }) => {
    const cost = target === "/" ? COST_MILLISECONDS : 0;
    const end = performance.now() + cost;
    while (performance.now() < end);
    return { status: 200, headers: {}, body: "done" };
  },
  {
    log: createLog("silent"),
    trustProxy: true,
    isAccepted: (authorization) => authorization === KEY,
    countCutOff: () => (cutOff += 1),
  },
);
const port = await listening(server);
after(() => ended(server));

class Client {
  readonly #headers: Record<string, string>;
  readonly #agent = new Agent({ keepAlive: true });
  readonly statuses: (number | undefined)[] = [];

  /** `address`: as a proxy states it. */
  constructor(address: string, authorization?: string) {
    this.#headers = { "x-forwarded-for": address, ...(authorization && { authorization }) };
  }

  async ask(path = "/"): Promise<IncomingMessage> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path, agent: this.#agent };
      get({ ...options, headers: this.#headers }, resolve).on("error", reject);
    });
    for await (const _piece of response);
    this.statuses.push(response.statusCode);
    return response;
  }

  /** Asks on as many connections, one request after the other on each. */
  async askUntil(isOver: () => boolean, connections: number): Promise<void> {
    const lanes = Array.from({ length: connections }, async () => {
      while (!isOver()) await this.ask();
    });
    await Promise.all(lanes);
    this.#agent.destroy();
  }
}

describe("more requests than can be answered", () => {
  it("are refused to the one client that sends most of them", async () => {
    let isOver = false;
    const greedy = new Client("192.0.2.1");
    const flood = greedy.askUntil(() => isOver, 100);
    const watching = new Client("192.0.2.9");
    while (cutOff === 0) await watching.ask("/healthz");
    const modest = new Client("192.0.2.2");
    const keyed = new Client("192.0.2.1", KEY);
    const probe = new Client("192.0.2.1");
    for (let number = 0; number < 10; number += 1) {
      await Promise.all([modest.ask(), keyed.ask(), probe.ask("/readyz")]);
    }
    isOver = true;
    await flood;
    const isRefused = (status: number | undefined) => status === 503;
    const clients = [greedy, watching, modest, keyed, probe];
    assert.equal(clients.flatMap(({ statuses }) => statuses).filter(isRefused).length, cutOff);
    assert.ok(greedy.statuses.includes(200));
    assert.deepEqual(new Set(probe.statuses), new Set([200]));
    const shareOf = ({ statuses }: Client) => statuses.filter(isRefused).length / statuses.length;
    // When the machine holds the server up, it refuses others as well.
    const [most, ...least] = [greedy, modest, keyed].map(shareOf);
    assert.ok(Math.max(...least) < 0.9 * Number(most), `${[most, ...least]}`);
  });

  it("are refused with a time to retry after, to any client when none has more than others", async () => {
    const before = cutOff;
    const clients = Array.from({ length: 300 }, (_, number) => new Client(`198.51.100.${number}`));
    // Opens the connections, so that all ask in the same moment.
    await Promise.all(clients.map((client) => client.ask("/healthz")));
    const answers = await Promise.all(clients.map((client) => client.ask()));
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    assert.equal(refused.length, cutOff - before);
    assert.ok(refused.length > 0 && refused.length < answers.length);
    assert.ok(refused.every(({ headers }) => headers["retry-after"] === "1"));
    assert.equal((await new Client("198.51.100.1").ask()).statusCode, 200);
  });
});
