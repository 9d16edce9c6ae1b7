import assert from "node:assert/strict";
import { it } from "node:test";
import { containsCredential, redactCredentials } from "../src/access/credentials.ts";
import { createLog } from "../src/log.ts";

const KEY = `cpl_${"aB3".repeat(12)}xy`;
const CLAIM_CODE = `cplc_${"aB3".repeat(12)}xy`;
const SIGNING_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

it("keeps credentials out of every log line, wherever they are put", () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => lines.push(line));
  log.info({ headers: { authorization: `Bearer ${KEY}` }, url: `/x?token=${KEY}` }, `key ${KEY}`);
  log.error(new Error(`failed with Bearer abc.def and ?api_key=opensesame`));
  log.warn({ CLAIM_CODE, SIGNING_SECRET }, "cannot reach smtp://editors:pa%20ss@mail.example:587");
  const all = lines.join("");
  assert.equal(lines.length, 3);
  const secrets = [KEY.slice(4), CLAIM_CODE.slice(5), SIGNING_SECRET.slice(6), "pa%20ss"];
  for (const secret of [...secrets, "abc.def", "opensesame"]) {
    assert.ok(!all.includes(secret), `${secret} is in the log`);
  }
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line));
});

it("writes lines of JSON with the time in UTC", () => {
  const lines: string[] = [];
  createLog("info", (line) => lines.push(line)).info("Listening");
  assert.match(JSON.parse(lines.join("")).time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

it("leaves ordinary text alone", () => {
  const text = "GET /topics/time?page=2 by a bearer of news, monkey=1";
  assert.equal(redactCredentials(text), text.replace("bearer of", "bearer [redacted]"));
});

const TARGETS: [string, boolean][] = [
  ["/topics/time?page=2", false],
  ["/search?q=key+to+wisdom", false],
  ["/search?q=token", false],
  [`/${KEY}`, true],
  [`/topics/%63pl_${KEY.slice(4)}`, true],
  [`/search?q=${KEY}`, true],
  ["/?api_key=x", true],
  ["/?API-KEY=x", true],
  ["/?access_token=x", true],
  ["/mcp?key=x", true],
  ["/?%74oken=x", true],
  ["/?%2574oken=x", true],
  ["/?client_secret=x", true],
  ["/?x-api-key=x", true],
  ["/topics;api_key=x", true],
  ["/topics%23access_token=x", true],
  ["/search?q=a&next=%2Ftopics%3Ftoken%3Dx", true],
  [`/search?q=%2563pl_${KEY.slice(4)}`, true],
  [`/search?q=cpl%25255F${KEY.slice(4)}`, true],
  ["/search?q=50%25+of+the+keys", false],
  ["/?monkey=x&tokens=x", false],
  [`/contact/claim?code=${CLAIM_CODE}`, true],
  [`/search?q=${SIGNING_SECRET}`, true],
  ["/search?q=whsec_", false],
];

for (const [target, expected] of TARGETS) {
  it(`${expected ? "sees" : "sees no"} credential in ${redactCredentials(target)}`, () => {
    assert.equal(containsCredential(target), expected);
  });
}
