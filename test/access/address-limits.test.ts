import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clientNetworkOf, IpAddressRateLimiter } from "../../src/access/address-limits.ts";

const NETWORKS: [address: string, network: string][] = [
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
  ["unknown", "unknown"],
];

for (const [address, network] of NETWORKS) {
  it(`takes ${address || "no address"} for ${network || "itself"}`, () => {
    assert.equal(clientNetworkOf(address), network);
  });
}

describe("a limit by address", () => {
  it("is exact in any window, and refused attempts do not count", () => {
    const limits = new IpAddressRateLimiter({ limit: 2, windowSeconds: 10 });
    const take = (at: number) => limits.take("192.0.2.1", at * 1000);
    assert.deepEqual(take(0), { accepted: true, remaining: 1, resetSeconds: 10 });
    assert.deepEqual(take(9), { accepted: true, remaining: 0, resetSeconds: 1 });
    assert.deepEqual(take(9.5), { accepted: false, retryAfterSeconds: 1 });
    assert.equal(take(10).accepted, true);
    assert.deepEqual(take(18.9), { accepted: false, retryAfterSeconds: 1 });
    assert.equal(take(19).accepted, true);
    assert.equal(limits.take("192.0.2.2", 19_000).accepted, true);
  });

  it("does not extend a block when the clock is set back", () => {
    const limits = new IpAddressRateLimiter({ limit: 1, windowSeconds: 10 });
    assert.equal(limits.take("192.0.2.1", 1_000_000).accepted, true);
    assert.equal(limits.take("192.0.2.1", 500_000).accepted, true);
    assert.equal(limits.take("192.0.2.1", 505_000).accepted, false);
  });

  it("evicts the least recently used address beyond the maximum", () => {
    const limits = new IpAddressRateLimiter({ limit: 1, windowSeconds: 1000 });
    limits.take("first", 0);
    limits.take("second", 0);
    limits.take("first", 1);
    for (let count = 0; count < 49_999; count += 1) limits.take(`other-${count}`, 2);
    assert.equal(limits.take("first", 3).accepted, false);
    assert.equal(limits.take("second", 3).accepted, true);
  });
});
