import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { type PostRequest, postToReceiver } from "../../src/webhooks/sending/post.ts";
import { PostError } from "../../src/webhooks/sending/public-network.ts";
import { listening } from "../support/listening.ts";
import { openReceiver } from "../support/webhook-receiver.ts";

const PRIVATE = "Not sent: the address leads into a private network";

function posting(url: string, more: Partial<PostRequest> = {}): PostRequest {
  return {
    url,
    body: "{}",
    headers: {},
    privateNetworks: false,
    milliseconds: 1000,
    signal: new AbortController().signal,
    ...more,
  };
}

/** A name server that says what it is told to, whatever the name. */
function says(...addresses: string[]): NonNullable<PostRequest["lookup"]> {
  return (_hostname, _options, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(() => done(null, found));
  };
}

describe("a name", () => {
  it("is not followed into a private network, whatever it meant before", async () => {
    await using receiver = await openReceiver();
    const url = receiver.url.replace("http://127.0.0.1", "https://rebound.example");
    for (const address of ["127.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "fd00::1", "::1"]) {
      await assert.rejects(
        postToReceiver(posting(url, { lookup: says(address) })),
        new PostError(PRIVATE),
      );
    }
    assert.equal(receiver.received.length, 0);
  });

  it("that has a public address and a private one is not followed at all", async () => {
    const url = "https://mixed.example/";
    const lookup = says("1.1.1.1", "10.0.0.1");
    await assert.rejects(postToReceiver(posting(url, { lookup })), new PostError(PRIVATE));
  });

  it("in place of which an address stands is judged without being looked up", async () => {
    for (const url of ["https://127.0.0.1:8443/", "https://0x7f.1:8443/", "https://[::1]:8443/"]) {
      await assert.rejects(
        postToReceiver(posting(url)),
        new PostError(
          "Not sent: the address leads into a private network, which this server does not allow",
        ),
      );
    }
  });
});

it("leaves no timer and no listener of a request behind", async () => {
  await using receiver = await openReceiver();
  const { signal } = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  for (let n = 0; n < 3; n += 1) {
    await postToReceiver(
      posting(receiver.url, { privateNetworks: true, milliseconds: 20_000, signal }),
    );
  }
  assert.equal(timers(), before);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

it("ends when a host switches to a protocol that nobody asked for", { timeout: 5000 }, async () => {
  const server = createServer((socket) => {
    socket
      .on("error", () => {})
      .once("data", () => {
        socket.end(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        );
      });
  });
  const url = `http://127.0.0.1:${await listening(server)}/`;
  try {
    const cut = new PostError("The connection was cut");
    await assert.rejects(postToReceiver(posting(url, { privateNetworks: true })), cut);
  } finally {
    server.close();
  }
});
