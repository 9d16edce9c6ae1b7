import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findWebhookUrlError, isPublicIpAddress } from "../../src/webhooks/destination.ts";

const PRIVATE_ADDRESSES = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:10.1.2.3",
  "::ffff:169.254.169.254",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:20::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd12:3456:789a::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "localhost",
  "",
];

const PUBLIC_ADDRESSES = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "223.255.255.255",
  "::ffff:1.1.1.1",
  "64:ff9b::1.1.1.1",
  "2606:4700:4700::1111",
  "2a00:1450:4001:82a::200e",
];

describe("addresses", () => {
  it("of private and special networks are told from public ones, in every notation", () => {
    assert.deepEqual(PRIVATE_ADDRESSES.filter(isPublicIpAddress), []);
    assert.deepEqual(
      PUBLIC_ADDRESSES.filter((address) => !isPublicIpAddress(address)),
      [],
    );
  });
});

const IN_PRIVATE_NETWORK = "leads into a private network, which this server does not allow";

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  [IN_PRIVATE_NETWORK]: [
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://%31%32%37.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://0/",
    "https://10.0.0.1:8443/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[0:0:0:0:0:ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://anything.localhost/",
  ],
  "must start with https://": ["http://example.org/", "HTTP://example.org/"],
  "must have no name and password: deliveries are signed instead": [
    "https://user@example.org/",
    "https://user:word@example.org/",
    "https://example.org@127.0.0.1/",
  ],
  "must use port 443, or one from 1024 up": [
    "https://example.org:22/",
    "https://example.org:25/",
    "https://example.org:80/",
    "https://example.org:1023/",
  ],
  "must not lead to port 0": ["https://example.org:0/"],
  "is not an absolute address, such as https://example.org/hook": [
    "",
    "example.org",
    "/hook",
    "//example.org/hook",
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://",
    "https://exa mple.org/",
    "https://example.org:99999/",
    "https://[fe80::1%25eth0]/",
    "https://1.2.3.4.5/",
    "https://256.1.1.1/",
  ],
  "is longer than 2000 characters": [`https://example.org/${"a".repeat(2000)}`],
};

describe("the address of a webhook", () => {
  it("may be any public https address", () => {
    for (const url of [
      "https://example.org",
      "HTTPS://EXAMPLE.ORG/Hook",
      "https://example.org:443/",
      "https://example.org:8443/hook?team=1#x",
      "https://1.1.1.1/",
      "https://[2606:4700:4700::1111]/hook",
      "https://bücher.example/",
    ]) {
      assert.equal(findWebhookUrlError(url, false), null, url);
    }
  });

  for (const [fault, urls] of Object.entries(REFUSED)) {
    it(`is refused where it ${fault}`, () => {
      for (const url of urls) assert.equal(findWebhookUrlError(url, false)?.en, fault, url);
    });
  }

  it("may lead anywhere, and be unencrypted, where that is allowed", () => {
    for (const url of ["http://127.0.0.1:3000/", "http://[::1]/", "https://10.0.0.1:22/"]) {
      assert.equal(findWebhookUrlError(url, true), null, url);
    }
  });

  it("is refused all the same where it is none, or has a password", () => {
    for (const url of [
      "ftp://10.0.0.1/",
      "http://",
      "http://a:b@10.0.0.1/",
      "http://10.0.0.1:0/",
    ]) {
      assert.notEqual(findWebhookUrlError(url, true), null, url);
    }
  });
});
