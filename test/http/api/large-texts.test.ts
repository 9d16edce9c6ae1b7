import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { AppError } from "../../../src/errors.ts";
import { renderBody } from "../../../src/render/body/body.ts";
import type {
  RenderingResult,
  RenderingTask,
} from "../../../src/storage/reading/rendering/rendering-thread.ts";
import { LimitedThread } from "../../../src/work/limited-thread.ts";
import { type Loose, openApiClient } from "../../support/api-client.ts";
import { png } from "../../support/media-bytes.ts";
import { found } from "../../support/until.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const HEADINGS = "# A heading\n\nA *text* below it.\n\n".repeat(2000);

async function create(body: string, more: object = {}): Promise<Loose> {
  const answer = await api.request("POST", "/content", {
    body: { type: "page", title: `Page of ${body.length}`, body, status: "published", ...more },
  });
  return answer;
}

/** With PostgreSQL, a save waits 1.5 s for the reading copy at the most, which a large text can outlast. */
async function pageAt(path: string) {
  return await found(async () => {
    const resolved = await api.app.reading.resolve(path);
    return resolved.kind === "item" ? resolved.item : undefined;
  });
}

describe("a large text", () => {
  it("is rendered as a small one is, without holding up the event loop", async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const { body: made, status } = await create(HEADINGS, { path: "/long" });
    clearInterval(timer);
    assert.equal(status, 201);
    assert(turns > 5, "The event loop was blocked throughout");
    const { html, markdown } = await pageAt(made.path);
    const rendered = renderBody(HEADINGS, { origin: api.app.record.origin });
    assert.equal(html, rendered.html);
    assert.equal(markdown, rendered.markdown);
  });

  it("shows the facts of the site's own pictures", async () => {
    const added = await api.request("POST", "/media?alt=A%20red%20dot", {
      body: png(3, 2),
      headers: { "Content-Type": "image/png" },
    });
    const { body: made } = await create(`![](${added.body.path})\n\n${HEADINGS}`, { path: "/dot" });
    assert.match((await pageAt(made.path)).html, /alt="A red dot" width="\d+"/);
  });

  it("is refused with the field and the reason when it exceeds a limit", async () => {
    const address = `[a]: /${"b".repeat(4000)}\n\n`;
    const cases: [string, RegExp][] = [
      [">".repeat(9000), /^Cannot save: body: The text nests deeper than 50 levels$/],
      [`${address}${"[a] ".repeat(1500)}`, /^Cannot save: body: The text uses link references/],
      [`${address}${"[a] ".repeat(150)}`, /^Cannot save: body: The text uses link references/],
    ];
    for (const [body, detail] of cases) {
      const refused = await create(body);
      assert.equal(refused.status, 400);
      assert.match(refused.body.detail, detail);
      assert.equal(refused.body.problems[0].where, "body");
    }
  });

  it("is too long for a field, which is rendered with each page", async () => {
    const refused = await api.request("POST", "/content", {
      body: { type: "quotation", title: "Long", fields: { original_text: "a ".repeat(20_000) } },
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body.problems, [
      { where: "fields.original_text", message: "is longer than 32768 characters" },
    ]);
  });

  it("fails alone in a bulk", async () => {
    const line = (name: string, body: string) =>
      JSON.stringify({ type: "page", title: name, sourceKey: name, path: `/${name}`, body });
    const { text } = await api.request("POST", "/content/bulk", {
      body: [line("b1", HEADINGS), line("b2", ">".repeat(9000)), line("b3", `${HEADINGS}x`)].join(
        "\n",
      ),
      headers: { "Content-Type": "application/x-ndjson" },
    });
    const reports: Loose[] = text
      .trim()
      .split("\n")
      .map((report) => JSON.parse(report));
    assert.deepEqual(
      reports.map(({ outcome, summary }) => outcome ?? summary.failed),
      ["created", "failed", "created", 1],
    );
    assert.match(reports[1].problems[0].message, /nests deeper than 50 levels/);
  });

  it("is previewed, published and changed like any other", async () => {
    const { body: draft } = await create(`${HEADINGS}draft`, { status: "draft", path: "/later" });
    const preview = await api.request("GET", `/content/${draft.id}/preview`);
    assert.match(preview.text, /A heading/);
    const published = await api.request("POST", `/content/${draft.id}/publish`, {
      headers: { "If-Match": "*" },
    });
    assert.equal(published.status, 200);
    assert.match((await pageAt("/later")).html, /<p>draft<\/p>$/);
  });
});

describe("the rendering thread", () => {
  const program = new URL("../../support/failing-rendering-thread.ts", import.meta.url);
  const worker = new LimitedThread<RenderingTask, RenderingResult>({
    ...{ program, verb: "render", cpuSecondsMax: 0.2 },
  });
  const run = async (body: string) => await worker.run({ body, origin: "", pictures: new Map() });

  it("is replaced when it fails or exceeds its time, and the texts behind are rendered", async () => {
    const [crashed, hung, after] = await Promise.allSettled([run("crash"), run("hang"), run("a")]);
    assert(crashed.status === "rejected" && crashed.reason instanceof AppError);
    assert.equal(crashed.reason.code, "unavailable");
    assert.deepEqual(hung, {
      status: "fulfilled",
      value: {
        refusal: {
          en: "The text takes more than 0.2 seconds to render; split it",
          de: "Diesen Text zu verarbeiten dauert zu lange: Teilen Sie ihn auf",
        },
      },
    });
    assert(after.status === "fulfilled" && "rendered" in after.value);
    assert.equal(after.value.rendered.html, "a");
  });
});
