import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import {
  dateTimeInZone,
  dayInZone,
  endOfDay,
  parseTimeInZone,
} from "../../../src/content/site/time-zone.ts";
import { openApiClient } from "../../support/api-client.ts";

const ZONE = "Europe/Vienna";
const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

async function setZone(timeZone: unknown) {
  const { headers } = await api.request("GET", "/settings");
  const ifMatch = { "If-Match": headers.get("etag") ?? "" };
  return await api.request("PATCH", "/settings", { body: { timeZone }, headers: ifMatch });
}

describe("the time zone of a site", () => {
  it("is UTC until the settings name another, and only a name with a calendar is one", async () => {
    assert.equal((await api.request("GET", "/settings")).body.timeZone, "UTC");
    for (const wrong of ["+01:00", "Europe/Vindobona", "", 1, "Europe/Vienna "]) {
      const refused = await setZone(wrong);
      assert.equal(refused.status, 400, String(wrong));
      assert.match(refused.text, /timeZone/);
    }
    assert.equal((await setZone(ZONE)).body.timeZone, ZONE);
  });

  it("reads the times of schedules that state no offset", async () => {
    const draft = await api.request("POST", "/drafts", {
      body: { type: "topic", changes: { title: "Spring" } },
    });
    const path = `/drafts/${draft.body.id}`;
    const scheduled = async (publishAt: string) => {
      const { headers } = await api.request("GET", path);
      const ifMatch = { "If-Match": headers.get("etag") ?? "" };
      const body = { publishAt };
      return await api.request("POST", `${path}/schedule`, { body, headers: ifMatch });
    };
    for (const [stated, expected] of [
      ["2027-01-15T09:00", "2027-01-15T08:00:00.000Z"],
      ["2027-07-15T09:00:30", "2027-07-15T07:00:30.000Z"],
      ["2027-07-15T09:00:00+05:30", "2027-07-15T03:30:00.000Z"],
      // Clocks show 02:30 twice; the first is meant.
      ["2027-10-31T02:30", "2027-10-31T00:30:00.000Z"],
    ] as const) {
      assert.equal((await scheduled(stated)).body.publishAt, expected, stated);
    }
    const skipped = await scheduled("2027-03-28T02:30");
    assert.equal(skipped.status, 400);
    assert.match(skipped.body.detail, /does not exist in Europe\/Vienna: clocks are set forward/);
    const item = {
      type: "topic",
      title: "Later",
      status: "scheduled",
      publishAt: "2027-01-15T09:00",
    };
    const created = await api.request("POST", "/content", { body: item });
    assert.equal(created.body.publishAt, "2027-01-15T08:00:00.000Z");
  });

  it("cannot take a time past the year 9999, which would be public at once", async () => {
    for (const publishAt of ["9999-12-31T23:59:59-05:00", "0000-01-01T00:00"]) {
      const body = { type: "topic", title: "Never", status: "scheduled", publishAt };
      const refused = await api.request("POST", "/content", { body });
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.body.detail, /publishAt: ".+" is outside the years 0 to 9999 in UTC/);
    }
  });

  it("decides which day pages say", async () => {
    // 23:30 UTC is the next day in Vienna.
    api.clock.now = new Date("2026-12-31T23:30:00Z");
    const body = { type: "topic", title: "Midnight", status: "published" };
    assert.equal((await api.request("POST", "/content", { body })).status, 201);
    const html = await (await api.app.get("/topics/midnight")).text();
    assert.match(html, /<time datetime="2027-01-01">/);
    const markdown = await (await api.app.get("/topics/midnight.md")).text();
    assert.match(markdown, /last_updated: "?2027-01-01/);
  });
});

describe("times in a time zone", () => {
  it("has days of 23 and 25 hours, and days without a midnight", () => {
    const hours = (day: string, zone: string) =>
      (endOfDay(zone, day).getTime() + 1000 - parseTimeInZone(zone, day).getTime()) / 3_600_000;
    assert.equal(hours("2027-03-28", ZONE), 23);
    assert.equal(hours("2027-10-31", ZONE), 25);
    // Clocks go from 24:00 to 01:00: the day begins at one.
    assert.equal(
      parseTimeInZone("Africa/Cairo", "2027-04-30").toISOString(),
      "2027-04-29T22:00:00.000Z",
    );
    assert.equal(hours("2027-04-30", "Africa/Cairo"), 23);
    assert.equal(dayInZone("Pacific/Kiritimati", "2026-12-31T10:00:00.000Z"), "2027-01-01");
    assert.equal(dateTimeInZone(ZONE, "2027-07-15T07:00:30.000Z"), "2027-07-15T09:00");
  });

  it("refuses what names no moment", () => {
    for (const text of ["", "soon", "2027-02-30T10:00", "2027-13-01", "2027-01-01T25:00Z"]) {
      assert.throws(() => parseTimeInZone(ZONE, text), { code: "invalid" }, text);
    }
    assert.equal(endOfDay("UTC", "9999-12-31").toISOString(), "9999-12-31T23:59:59.000Z");
    assert.throws(() => endOfDay("America/New_York", "9999-12-31"), { code: "invalid" });
  });
});
