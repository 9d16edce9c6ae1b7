import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { parseTypeFile } from "../../src/content/import/site-file.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import type { PageView } from "../../src/content/pages/view.ts";
import { mainEdition } from "../../src/content/site/editions.ts";
import { siteProfileSchema } from "../../src/content/site/site.ts";
import type { ContentType } from "../../src/content/types/content-type.ts";
import { pageHtml } from "../../src/render/page-html.ts";
import { mainContentMarkdown, pageMarkdown } from "../../src/render/page-markdown.ts";
import { buildSiteEntities, buildStructuredData } from "../../src/render/structured-data.ts";
import { documentText, textOf } from "../discovery/fixture-site.ts";
import { ORIGIN, openReading } from "../support/reading-store.ts";

const TODAY = "2027-03-14";

const store = openReading([readyType("event"), readyType("news")]);
after(() => store[Symbol.dispose]());
const { reading } = store;
const context = {
  feeds: [],
  reading,
  origin: ORIGIN,
  version: "0.1.0",
  now: new Date(`${TODAY}T12:00:00Z`),
};

store.writer.saveSite(
  siteProfileSchema.parse({
    ...reading.site(),
    timeZone: "Europe/Vienna",
    languages: ["de"],
    home: [
      { show: "upcoming", type: "event", items: 2 },
      { show: "newest", type: "news", items: 1 },
      { show: "upcoming", type: "news" },
    ],
  }),
  store.types,
);
event("yesterday", { starts: "2027-03-13" });
event("tomorrow", { starts: "2027-03-15", begins: "9:30", closes: "11:00", place: "Mill; attic" });
event("today", { starts: TODAY, begins: "19:30", place: "Mill", online: "https://a.example/room" });
event("running", { starts: "2027-03-10", ends: "2027-03-14" });
event("over", { starts: "2027-03-01", ends: "2027-03-13", online: "https://a.example/room" });
event("skipped-by-clocks", { starts: "2027-03-28", begins: "02:30", closes: "later" });
event("without-a-date", {});
store.put("event", "/de/events/morgen", {
  title: "morgen",
  language: "de",
  fields: { starts: "2027-03-15" },
});
store.put("news", "/news/old", { title: "old", fields: { date: "2026-12-01" } });
store.put("news", "/news/new", { title: "new", fields: { date: "2027-02-01" } });
store.put("news", "/news/older", {
  title: "older",
  fields: { date: "2026-11-01" },
  updatedAt: "2027-01-05T10:00:00.000Z",
});

function readyType(name: string): ContentType {
  const file = join(import.meta.dirname, `../../demo/types/${name}.yaml`);
  const { value } = parseTypeFile(readFileSync(file, "utf8"));
  assert(value !== null);
  return value;
}

function event(title: string, fields: Record<string, string>): void {
  store.put("event", `/events/${title}`, { title, summary: `About ${title}.`, fields });
}

async function viewOf(path: string, today: string | null = TODAY): Promise<PageView> {
  const request = { parameter: () => undefined, ...(today === null ? {} : { today: () => today }) };
  const answer = await findPage(reading, path, request);
  assert(answer.kind === "page", path);
  return answer.view;
}

/** Headings, and the titles of the items listed below them. */
async function outline(path: string, today?: string | null): Promise<string[]> {
  const text = mainContentMarkdown(await viewOf(path, today), { reading, origin: ORIGIN });
  return [...text.matchAll(/^(?:#+ (.+)|- \[([^\]]+)\])/gm)].map(
    ([, heading = "", item = ""]) => heading || item,
  );
}

async function thing(path: string): Promise<Record<string, unknown>> {
  const text = buildStructuredData(await viewOf(path), buildSiteEntities(reading.site(), ORIGIN), {
    edition: mainEdition(reading),
    origin: ORIGIN,
  });
  const graph: Record<string, unknown>[] = JSON.parse(text)["@graph"];
  const found = graph.find(
    (entity) =>
      String(entity["@id"]).startsWith(`${ORIGIN}${path}#`) && "mainEntityOfPage" in entity,
  );
  assert(found !== undefined, path);
  return found;
}

describe("a list of events", () => {
  it("shows what is on or to come, soonest first, and then what is over, latest first", async () => {
    assert.deepEqual(await outline("/events"), [
      "Events",
      "Upcoming events",
      "running",
      "today",
      "tomorrow",
      "skipped-by-clocks",
      "Past events (2)",
      "yesterday",
      "over",
      "Events without a date (1)",
      "without-a-date",
    ]);
    store.retire("/events/without-a-date", false);
    assert.equal((await outline("/events")).at(-1), "over");
    event("without-a-date", {});
  });

  it("has no heading of what is over on a page that has only what has no date", async () => {
    const titles = Array.from({ length: 48 }, (_, at) => `early-${at}`);
    for (const title of titles) event(title, { starts: "2020-01-01" });
    const request = { parameter: () => "2", today: () => TODAY };
    const answer = await findPage(reading, "/events", request);
    assert(answer.kind === "page");
    const text = mainContentMarkdown(answer.view, { reading, origin: ORIGIN });
    assert.match(text, /\n## Events without a date \(1\)\n\n51 to 51\.\n\n- \[without-a-date\]/);
    assert.doesNotMatch(text, /Past events/);
    for (const title of titles) store.retire(`/events/${title}`, false);
  });

  it("counts no running event on any page of what is over", async () => {
    const made = Array.from({ length: 49 }, (_, at) => `early-${at}`);
    for (const title of made) event(title, { starts: "2020-01-01" });
    for (const title of ["long-1", "long-2"]) {
      event(title, { starts: "2021-01-01", ends: "2028-01-01" });
    }
    const answerOf = (page: string) =>
      findPage(reading, "/events", { parameter: () => page, today: () => TODAY });
    const textOfPage = async (page: string) => {
      const answer = await answerOf(page);
      assert(answer.kind === "page");
      return mainContentMarkdown(answer.view, { reading, origin: ORIGIN });
    };
    const first = await textOfPage("1");
    assert.equal(first.split("## Past events (51)\n\n1 to 50.")[1]?.match(/^- \[/gm)?.length, 50);
    assert.match(await textOfPage("2"), /Past events \(51\)\n\n51 to 52\.\n\n- \[early-0\]/);
    store.retire("/events/early-0", false);
    store.retire("/events/without-a-date", false);
    assert.equal((await answerOf("2")).kind, "missing", "no empty page after the last");
    event("without-a-date", {});
    for (const title of [...made.slice(1), "long-1", "long-2"]) {
      store.retire(`/events/${title}`, false);
    }
  });

  it("counts what is over in the heading, and pages only where there is more", async () => {
    assert.doesNotMatch(
      mainContentMarkdown(await viewOf("/events"), { reading, origin: ORIGIN }),
      /3 events/,
    );
  });

  it("goes by the day that is asked for, and by date alone where a page must not depend on it", async () => {
    const later = await outline("/events", "2027-04-01");
    assert.deepEqual(later.slice(0, 3), ["Events", "skipped-by-clocks", "tomorrow"]);
    assert.deepEqual(await outline("/events", null), later);
  });

  it("is of its edition", async () => {
    assert.deepEqual(await outline("/de/events"), [
      "Veranstaltungen",
      "Kommende Veranstaltungen",
      "morgen",
    ]);
  });

  it("says where programs follow it, and each event has a file for a calendar", async () => {
    const list = pageMarkdown(await viewOf("/events"), context);
    assert.match(list, /- \[running\]\(\S+\) · Wed, 10 March – Sun, 14 March 2027: /);
    assert.match(list, /- \[tomorrow\]\(\S+\) · Mon, 15 March 2027, 09:30–11:00 · Mill; attic: /);
    assert.match(list, /\[Subscribe to the calendar\]\(\S+\/events\/calendar\.ics\)/);
    assert.match(list, /- \[today\]\(\S+\) · Sun, 14 March 2027 at 19:30 · Mill: /);
    assert.match(
      pageHtml(await viewOf("/"), context),
      />running<\/a>\s· Wed, 10 March – Sun, 14 March 2027</,
    );
    const page = pageMarkdown(await viewOf("/events/today"), context);
    assert.match(page, /\[Add to your calendar\]\(\S+\/events\/today\/event\.ics\)/);
    for (const path of ["/news/new", "/events/without-a-date"]) {
      assert.doesNotMatch(pageMarkdown(await viewOf(path), context), /calendar/);
    }
  });
});

describe("news", () => {
  it("are listed latest first, also on the home page, which shows events to come", async () => {
    assert.deepEqual(await outline("/news"), ["News", "new", "old", "older"]);
    assert.deepEqual(await outline("/"), [
      "Quotations",
      "Upcoming events",
      "running",
      "today",
      "News",
      "new",
    ]);
  });

  it("have a feed, latest first, as every list that goes by date and no other", () => {
    const feed = JSON.parse(textOf(context, "/news/feed.json"));
    const titles = feed.items.map(({ title }: { title: string }) => title);
    assert.deepEqual([feed.title, titles], ["News – Quotations", ["new", "old", "older"]]);
    const published = feed.items.map((item: { date_published: string }) => item.date_published);
    assert.equal(published.at(-1), "2026-10-31T23:00:00.000Z", "the day it states, in Vienna");
    assert.equal(published[0], "2026-01-01T00:00:00.000Z", "not a day after it was published");
    assert.match(textOf(context, "/news/feed.atom"), /<published>2026-10-31T23:00:00.000Z</);
    assert.match(textOf(context, "/events/feed.atom"), /<title>Events – Quotations<\/title>/);
    assert.match(textOf(context, "/de/events/feed.atom"), /<title>morgen<\/title>/);
    for (const path of ["/topics/feed.atom", "/nothing/feed.json", "/news/calendar.ics"]) {
      assert.equal(documentText(context, path), null, path);
    }
  });
});

describe("a calendar", () => {
  it("has the time of each event in UTC, and whole days as days", () => {
    const text = textOf(context, "/events/calendar.ics");
    assert(text.startsWith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:"));
    assert(text.endsWith("END:VCALENDAR\r\n"));
    assert.equal(text.match(/^BEGIN:VEVENT\r$/gm)?.length, 6);
    const eventOf = (title: string) =>
      text.split("BEGIN:VEVENT").find((part) => part.includes(`SUMMARY:${title}\r\n`)) ?? "";
    assert.match(eventOf("today"), /\r\nDTSTART:20270314T183000Z\r\nSUMMARY/);
    assert.match(eventOf("tomorrow"), /\r\nDTSTART:20270315T083000Z\r\nDTEND:20270315T100000Z\r\n/);
    assert.match(eventOf("tomorrow"), /\r\nLOCATION:Mill\\; attic\r\n/);
    assert.match(
      eventOf("running"),
      /\r\nDTSTART;VALUE=DATE:20270310\r\nDTEND;VALUE=DATE:20270315\r\n/,
    );
    assert.match(eventOf("over"), /\r\nLOCATION:https:\/\/a\.example\/room\r\n/);
    assert.match(eventOf("skipped-by-clocks"), /\r\nDTSTART:20270328T013000Z\r\nSUMMARY/);
    assert.match(textOf(context, "/de/events/calendar.ics"), /SUMMARY:morgen\r\n/);
  });

  it("has the last day of an event that begins at a time and ends on a day", async () => {
    const fields = { starts: "2027-03-26", ends: "2027-03-27", begins: "10:00" };
    store.put("event", "/events/fair", { title: "fair", fields });
    const text = textOf(context, "/events/fair/event.ics");
    assert.match(text, /\r\nDTSTART:20270326T090000Z\r\nDTEND:20270327T230000Z\r\n/);
    const { startDate, endDate } = await thing("/events/fair");
    assert.deepEqual([startDate, endDate], ["2027-03-26T10:00:00+01:00", "2027-03-27"]);
    for (const path of ["/events", "/events/fair"]) {
      const page = mainContentMarkdown(await viewOf(path), { reading, origin: ORIGIN });
      assert.match(page, /Fri, 26 March 2027 at 10:00 – Sat, 27 March 2027/);
    }
    store.put("event", "/events/fair", {
      title: "fair",
      fields: { ...fields, ends: "2027-03-26" },
    });
    assert.doesNotMatch(textOf(context, "/events/fair/event.ics"), /DTEND/);
    store.retire("/events/fair", false);
  });

  it("has one event alone, and folds long lines between characters", () => {
    const title = `${"ä".repeat(40)} 🌲🌲🌲 ${"x".repeat(100)}, with a\tcomma`;
    store.put("event", "/events/long", { title, fields: { starts: "2027-05-01" } });
    const text = textOf(context, "/events/long/event.ics");
    for (const line of text.split("\r\n")) assert(Buffer.byteLength(line) <= 75, line);
    const unfolded = text.replaceAll("\r\n ", "");
    assert(unfolded.includes(`SUMMARY:${title.replace(",", "\\,").replace("\t", "")}\r\n`));
    assert.equal(documentText(context, "/events/nothing/event.ics"), null);
    assert.equal(documentText(context, "/events/without-a-date/event.ics"), null);
    assert.equal(documentText(context, "/news/new/event.ics"), null);
    store.retire("/events/long", false);
  });
});

describe("structured data", () => {
  it("tells when and where an event takes place, with the offset of the site's clock", async () => {
    assert.partialDeepStrictEqual(await thing("/events/tomorrow"), {
      "@type": "Event",
      startDate: "2027-03-15T09:30:00+01:00",
      endDate: "2027-03-15T11:00:00+01:00",
      location: { "@type": "Place", name: "Mill; attic" },
      eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    });
    const { location, ...today } = await thing("/events/today");
    assert(Array.isArray(location) && location.length === 2);
    assert.equal(today["eventAttendanceMode"], "https://schema.org/MixedEventAttendanceMode");
    assert.partialDeepStrictEqual(await thing("/events/over"), {
      startDate: "2027-03-01",
      endDate: "2027-03-13",
      location: { "@type": "VirtualLocation", url: "https://a.example/room" },
      eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
    });
  });

  it("tells when news are from", async () => {
    assert.partialDeepStrictEqual(await thing("/news/new"), {
      "@type": "NewsArticle",
      headline: "new",
      datePublished: "2027-02-01",
      inLanguage: "en",
    });
  });
});

describe("a declaration", () => {
  it("is refused when it numbers parts by what is no integer", () => {
    const faultOf = (kind: string) =>
      parseTypeFile(
        `name: song\nlabel: Song\nplural: Songs\nlistPath: /songs\nfields:\n  track: { kind: ${kind}, label: Track, position: true }\n`,
      ).problems.map(({ field, message }) => `${field}: ${message.en}`);
    assert.deepEqual(faultOf("integer"), []);
    assert.deepEqual(faultOf("text"), ["fields.track.position: only an integer can be a position"]);
  });

  it("is refused when it is dated by what is no date to sort and filter by", () => {
    const faultOf = (dated: string, starts: string) =>
      parseTypeFile(
        `name: meeting\nlabel: Meeting\nplural: Meetings\ndescription: We meet.\nlistPath: /meetings\ndated: ${dated}\nfields:\n  starts: ${starts}\n`,
      ).problems.map(({ field, message }) => `${field}: ${message.en}`);
    const day = "{ kind: date, label: Day, filter: true, sort: true }";
    assert.deepEqual(faultOf("{ by: starts }", day), []);
    assert.deepEqual(faultOf("{ by: starts, place: where }", day), [
      'dated.place: there is no field "where"',
    ]);
    for (const starts of ["{ kind: text, label: Day }", "{ kind: date, label: Day, sort: true }"]) {
      assert.deepEqual(faultOf("{ by: starts }", starts), [
        'dated.by: the field "starts" must be a date with filter and sort',
      ]);
    }
  });
});
