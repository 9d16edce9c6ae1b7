import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ApiAnswer,
  type ApiClient,
  type Loose,
  openApiClient,
} from "../../support/api-client.ts";
import { ORIGIN } from "../../support/open-fixture.ts";

const ANY = { "If-Match": "*" };

async function patch(api: ApiClient, body: object, headers: Record<string, string> = ANY) {
  return await api.request("PATCH", "/settings", { body, headers });
}

async function text(api: ApiClient, path: string, accept = "text/html"): Promise<string> {
  return await (await api.app.get(path, { Accept: accept })).text();
}

const paths = (answer: ApiAnswer): string[] =>
  answer.body.navigation.map(({ path }: { path: string }) => path);

describe("the settings", () => {
  it("change what the patch names, and everything shows it on the next request", async () => {
    await using api = await openApiClient();
    const { body: before, headers } = await api.request("GET", "/settings");
    await text(api, "/");
    const answer = await patch(
      api,
      {
        name: "Society of Readers",
        contact: { security: "security@readers.example" },
        contentSignal: { aiTrain: "yes" },
        whenNotToUse: null,
        languages: ["de"],
      },
      { "If-Match": headers.get("etag") ?? "" },
    );
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      ...before,
      name: "Society of Readers",
      contact: { ...before.contact, security: "security@readers.example" },
      contentSignal: { ...before.contentSignal, aiTrain: "yes" },
      whenNotToUse: [],
      languages: ["de"],
    });
    assert.notEqual(answer.headers.get("etag"), headers.get("etag"));
    assert.match(await text(api, "/"), /Society of Readers/);
    assert.match(await text(api, "/llms.txt"), /^# Society of Readers/);
    assert.match(await text(api, "/robots.txt"), /ai-train=yes/);
    assert.match(await text(api, "/.well-known/security.txt"), /security@readers\.example/);
    assert.match(await text(api, "/.well-known/mcp/server-card.json"), /Society of Readers/);
    const page = await api.app.get("/about", { Accept: "text/html" });
    assert.match(page.headers.get("content-signal") ?? "", /ai-train=yes/);
    const [entry] = await api.app.record.audit.entries({ action: "site.", limit: 1 });
    assert.equal(entry?.action, "site.update");
    assert.equal(entry?.requestId, answer.headers.get("x-request-id"));
  });

  it("merge what they nest, and null takes away at every depth", async () => {
    await using api = await openApiClient();
    const german = { name: "Verein", slots: { header: "Oben", footer: "Unten" } };
    const before = await patch(api, {
      look: { slots: { header: "Above", footer: "Below" }, dark: { ink: "#ffffff" } },
      licence: { name: "CC0", url: "https://example.org/cc0" },
      translations: { de: german },
    });
    assert.equal(before.status, 200, before.text);
    const { body, status } = await patch(api, {
      look: { slots: { header: null }, dark: { ink: null, paper: "#000000" } },
      licence: { url: null },
      translations: { de: { name: null, slots: { footer: null, home: "Mitte" } }, fr: null },
      menus: { de: null },
    });
    assert.equal(status, 200);
    assert.deepEqual(body.look.slots, { footer: "Below" });
    assert.deepEqual(body.look.dark, { paper: "#000000" });
    assert.deepEqual(body.licence, { name: "CC0" });
    assert.deepEqual(body.translations, { de: { slots: { header: "Oben", home: "Mitte" } } });
  });

  it("stay as they are when nothing is new, and need the ETag of what they were", async () => {
    await using api = await openApiClient();
    const { body, headers } = await api.request("GET", "/settings");
    const { navigation, ...profile } = body;
    const same = await patch(api, { ...profile, navigation });
    assert.equal(same.status, 200, same.text);
    assert.deepEqual(same.body, body);
    assert.equal(same.headers.get("etag"), headers.get("etag"));
    assert.equal((await patch(api, { name: "A" }, {})).status, 428);
    await patch(api, { name: "B" });
    const tag = { "If-Match": headers.get("etag") ?? "" };
    assert.equal((await patch(api, { name: "C" }, tag)).status, 412);
  });

  it("hold the navigation as a list of pages", async () => {
    await using api = await openApiClient();
    const { body: charter } = await api.request("POST", "/content", {
      body: { type: "page", title: "Our charter", path: "/charter", status: "published" },
    });
    const answer = await patch(api, { navigation: ["/charter", "/about"] });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(paths(answer), ["/charter", "/about"]);
    const html = await text(api, "/topics");
    const navigation = /<nav.*?<\/nav>/s.exec(html)?.[0] ?? "";
    assert(navigation.indexOf("/charter") > 0, navigation);
    assert(navigation.indexOf("/charter") < navigation.indexOf("/about"), navigation);
    assert.doesNotMatch(navigation, /\/contact/);
    const turned = await patch(api, { navigation: [...answer.body.navigation].reverse() });
    assert.deepEqual(paths(turned), ["/about", "/charter"]);
    const moved = await api.request("PATCH", `/content/${charter.id}`, {
      body: { path: "/statutes" },
      headers: ANY,
    });
    assert.equal(moved.body.fields.navigation, 2);
    assert.deepEqual(paths(await api.request("GET", "/settings")), ["/about", "/statutes"]);
    assert.deepEqual(paths(await patch(api, { navigation: null })), []);
  });

  const wrong: [string, Loose, RegExp][] = [
    ["an unknown key", { nmae: "A" }, /nmae: is not a setting; there are name, description/],
    ["an unknown key within", { contact: { phone: "1" } }, /contact: has keys that mean nothing/],
    ["no name", { name: null }, /name: is missing/],
    ["a name of another kind", { name: 7 }, /name: must be a text/],
    ["an empty name", { name: " " }, /name: is empty/],
    ["no address", { contact: null }, /contact: is missing/],
    ["what is no address", { contact: { email: "me" } }, /contact\.email: is not an e-mail/],
    ["what is no language", { language: "english!" }, /language: is not a language tag/],
    [
      "a language in other letters",
      { languages: ["DE-at"] },
      /languages\[0\]: is not a language tag/,
    ],
    ["a script as address", { organization: { sameAs: ["javascript:alert(1)"] } }, /sameAs\[0\]/],
    [
      "another signal",
      { contentSignal: { aiTrain: "perhaps" } },
      /aiTrain: must be one of yes, no/,
    ],
    ["a text for a group", { contact: "me@example.org" }, /contact: must be a group of keys/],
    ["a page there is not", { navigation: ["/nowhere"] }, /navigation\[0\]: no item has the path/],
    ["a page twice", { navigation: ["/about", "/about"] }, /navigation\[1\]: "\/about" is here/],
    ["the home page", { navigation: ["/"] }, /navigation\[0\]: the home page is linked/],
    ["a topic", { navigation: ["/topics/time"] }, /is of the type topic; only page can stand here/],
    ["a page by number", { navigation: [7] }, /navigation\[0\]: name the page by path/],
    [
      "more than a site has",
      { navigation: Array(51).fill("/about") },
      /navigation: is longer than 50/,
    ],
  ];
  for (const [name, body, told] of wrong) {
    it(`refuse ${name}`, async () => {
      await using api = await openApiClient();
      const before = await api.request("GET", "/settings");
      const answer = await patch(api, body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, told);
      assert.deepEqual((await api.request("GET", "/settings")).body, before.body);
    });
  }

  it("need the right scope", async () => {
    await using api = await openApiClient();
    const key = await api.issue("content:write", "content:publish", "content:read");
    assert.equal((await api.request("GET", "/settings", { key })).status, 403);
    const own = await api.issue("settings:write");
    const answer = await api.request("PATCH", "/settings", {
      body: { navigation: ["/about"] },
      headers: ANY,
      key: own,
    });
    assert.equal(answer.status, 200, answer.text);
  });
});

describe("the declared types", () => {
  const meeting = {
    name: "meeting",
    label: "Meeting",
    plural: "Meetings",
    description: "A meeting of the association",
    listPath: "/meetings",
    fields: { day: { kind: "date", label: "Day", filter: true, sort: true } },
  };

  async function declare(api: ApiClient, ...types: Loose[]): Promise<ApiAnswer> {
    return await api.request("PUT", "/settings/types", { body: { types }, headers: ANY });
  }

  it("are replaced as a whole, and work on the next request", async () => {
    await using api = await openApiClient();
    const { body } = await api.request("GET", "/settings/types");
    const declared = await declare(api, ...body.types, meeting);
    assert.equal(declared.status, 200, declared.text);
    const made = await api.request("POST", "/content", {
      body: {
        type: "meeting",
        title: "Spring",
        fields: { day: "2027-04-01" },
        status: "published",
      },
    });
    assert.equal(made.body.url, `${ORIGIN}/meetings/spring`);
    assert.match(await text(api, "/meetings"), /Spring/);
    assert.match(await text(api, "/llms.txt"), /\/meetings/);
    assert.equal((await api.app.get("/topics/time")).status, 200);
    const refused = await declare(api, ...body.types);
    assert.equal(refused.status, 409);
    assert.match(refused.body.detail, /Cannot drop the content type meeting: there are Meetings/);
  });

  it("leave redirects where they lead", async () => {
    await using api = await openApiClient();
    for (const [from, to] of [
      ["/one", "/about"],
      ["/lists", "/topics"],
    ]) {
      await api.request("POST", "/redirects", { body: { from, to } });
    }
    const { body } = await api.request("GET", "/settings/types");
    const related = {
      ...meeting,
      relations: { held_by: { label: "Held by", target: "author", many: true } },
    };
    await declare(api, ...body.types, related);
    assert.equal((await api.app.get("/one")).headers.get("location"), "/about");
    assert.equal((await api.app.get("/lists")).headers.get("location"), "/topics");
  });

  const wrong: [string, Loose, RegExp][] = [
    [
      "a name with capitals",
      { ...meeting, name: "Event" },
      /types\.\d+\.name: is not a valid name/,
    ],
    [
      "the name of a built-in type",
      { ...meeting, name: "topic" },
      /types\.topic: is declared twice/,
    ],
    ["a list path that is taken", { ...meeting, listPath: "/topics" }, /\/topics is used by two/],
    ["a reserved list path", { ...meeting, listPath: "/api" }, /\/api is reserved/],
    [
      "a field of no kind",
      { ...meeting, fields: { a: { kind: "x", label: "A" } } },
      /kind: must be/,
    ],
    [
      "a relation to nothing",
      { ...meeting, relations: { a: { label: "A", target: "no", many: true } } },
      /there is no content type "no"/,
    ],
    ["a key too many", { ...meeting, colour: "red" }, /mean nothing here: colour/],
    ["what is no type", "meeting", /must be a group of keys/],
  ];
  for (const [name, type, told] of wrong) {
    it(`refuse ${name}`, async () => {
      await using api = await openApiClient();
      const { body } = await api.request("GET", "/settings/types");
      const answer = await declare(api, ...body.types, type);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, told);
    });
  }
});
