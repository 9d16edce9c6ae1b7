import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import sharp from "sharp";
import { buildShareCard } from "../../src/content/media/share-card.ts";
import {
  SHARE_PICTURE_HEIGHT,
  SHARE_PICTURE_WIDTH,
  type ShareCard,
  sharePictureId,
} from "../../src/content/media/share-pictures.ts";
import { mainEdition } from "../../src/content/site/editions.ts";
import { changeSettings } from "../../src/content/site/settings.ts";
import { AppError } from "../../src/errors.ts";
import { removeLeftoverTemporaryFiles } from "../../src/storage/leftovers.ts";
import { openSharePictureFolder } from "../../src/storage/media/share/share-folder.ts";
import { fontconfigXml } from "../../src/storage/media/share/share-fonts.ts";
import {
  type SharePictureResult,
  type SharePictureTask,
  sharePictureResultSchema,
} from "../../src/storage/media/share/share-task.ts";
import { TaskProgram } from "../../src/work/task-program.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";
import { openReading } from "../support/reading-store.ts";
import { SCRIPTS } from "../support/scripts.ts";
import { watchUnsynced } from "../support/unsynced.ts";

const folder = mkdtempSync(join(tmpdir(), "share-"));
const site = await openFixture();
after(async () => {
  await site.close();
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

const OPERATOR = { kind: "operator" } as const;

const CARD: ShareCard = {
  caution: "",
  text: "We aim above the mark to hit the mark.",
  language: "en",
  isQuotation: true,
  source: "Ralph Waldo Emerson, Essays",
  site: "Quotations",
  paper: "#fdfaf3",
  ink: "#222222",
  soft: "#666666",
  accent: "#8a2a1a",
  bad: "#b3261e",
};

const LIMITS = { secondsMax: 60, waitingMax: 100, idleMilliseconds: 2000 };
const LENGTHS = [1, 30, 90, 200, 319, 320];

async function imageOf(path: string): Promise<string> {
  const html = await (await site.get(path, { accept: "text/html" })).text();
  const [, url = ""] = /<meta property="og:image" content="([^"]+)">/.exec(html) ?? [];
  assert(url.startsWith("http"), path);
  return new URL(url).pathname;
}

describe("the picture of an item for link previews", () => {
  it("is named by its page, drawn when asked for, and kept by what it shows", async () => {
    const path = await imageOf("/quotations/abactor");
    const response = await site.get(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "image/png");
    assert.match(response.headers.get("cache-control") ?? "", /immutable/);
    const { width, height, format } = await sharp(await response.bytes()).metadata();
    assert.deepEqual([width, height, format], [SHARE_PICTURE_WIDTH, SHARE_PICTURE_HEIGHT, "png"]);
    const etag = response.headers.get("etag") ?? "";
    const again = await site.get(path, { "if-none-match": etag });
    assert.equal(again.status, 304);
  });

  it("is there for topics, authors, works and pages", async () => {
    const paths = ["/topics/time", "/authors/epictetus", "/works/epictetus-discourses-george-long"];
    for (const path of [...paths, "/about", "/"]) {
      assert.equal((await site.get(await imageOf(path), {})).status, 200, path);
    }
  });

  it("warns of a disputed or misattributed quotation before its words, and has the seal of others", () => {
    using store = openReading();
    store.put("author", "/authors/a", { title: "Ada" });
    const cardOf = (verification: string | null, relations = {}) => {
      const fields = verification === null ? {} : { verification };
      store.put("quotation", "/quotations/q", { body: "Words.", fields, relations });
      const found = store.reading.resolve("/quotations/q");
      assert(found.kind === "item");
      const { caution, source } = buildShareCard(found.item, mainEdition(store.reading));
      return [caution, source];
    };
    const relations = { authors: ["/authors/a"] };
    assert.deepEqual(cardOf("misattributed", relations), ["Misattributed", "Ada"]);
    assert.deepEqual(cardOf("disputed"), ["Disputed", ""]);
    assert.deepEqual(cardOf("verified", relations), ["", "Ada · Verified"]);
    assert.deepEqual(cardOf("attributed"), ["", "Attributed"]);
    assert.deepEqual(cardOf(null, relations), ["", "Ada"]);
  });

  it("leads on when the item says something else by now", async () => {
    const path = await imageOf("/topics/time");
    const old = path.replace(/[0-9a-f]{20}/, "0".repeat(20));
    const response = await site.get(old);
    assert.deepEqual([response.status, response.headers.get("location")], [307, path]);
  });

  it("is not drawn for visitors of a site that is hidden", async () => {
    const path = await imageOf("/topics/time");
    const { content } = site.record;
    await changeSettings(content, OPERATOR, { hidden: true }, { now: NOW });
    assert.equal((await site.get(path)).status, 503);
    await changeSettings(content, OPERATOR, { hidden: false }, { now: NOW });
    assert.equal((await site.get(path)).status, 200);
  });

  it("is there for nothing that is not public", async () => {
    const path = await imageOf("/topics/time");
    for (const other of ["/nothing", "/unfinished", "/topics"]) {
      assert.equal((await site.get(path.replace("/topics/time", other))).status, 404, other);
    }
  });
});

describe("the folder of pictures", () => {
  it("has no picture that a power cut could empty, and none that was not finished after a start", async () => {
    const data = join(folder, "data");
    const pictures = join(data, "share-pictures/pictures");
    const shared = openSharePictureFolder(join(data, "share-pictures"));
    {
      using unsynced = await watchUnsynced();
      await shared.picture(CARD);
      assert.deepEqual(
        unsynced.found().filter((found) => found.includes(pictures)),
        [],
      );
    }
    await shared.stop();
    writeFileSync(join(pictures, "unfinished.png.new"), "");
    await removeLeftoverTemporaryFiles(data);
    assert.deepEqual(readdirSync(pictures), [`${sharePictureId(CARD)}.png`]);
  });
});

describe("every script", () => {
  const drawing = openProgram();
  after(() => drawing.stop());

  it("is drawn inside the frame, whatever the length", async () => {
    for (const card of cardsOfAllLengths()) {
      const name = `${card.language} ${card.text.length}`;
      const file = join(folder, `${name}.png`);
      const { boxes } = await drawing.run({ fonts: join(folder, "fonts"), file, card });
      assert.equal(boxes.length, card.caution === "" ? 3 : 4);
      let bottom = 0;
      for (const { left, top, width, height } of boxes) {
        assert(left >= 40 && left + width <= SHARE_PICTURE_WIDTH - 40, `${name}: ${left}`);
        assert(top >= bottom, `${name}: texts overlap at ${top}`);
        bottom = top + height;
      }
      assert(bottom <= SHARE_PICTURE_HEIGHT - 20, `${name}: ${bottom}`);
    }
  });

  it("is drawn inside the frame also where nothing can be seen, or no line be broken", async () => {
    const marks = "\u0301\u0302\u0335\u0489".repeat(79);
    const texts = [
      "\u200b".repeat(300),
      "\u00ad",
      "क्".repeat(160),
      "\u1112".repeat(320),
      `Z${marks}`,
    ];
    for (const text of texts) {
      const card = { ...CARD, text, source: text.slice(0, 150), site: text.slice(0, 100) };
      const file = join(folder, "hostile.png");
      const { boxes } = await drawing.run({ fonts: join(folder, "fonts"), file, card });
      for (const { left, width } of boxes) assert(left + width <= SHARE_PICTURE_WIDTH - 40, text);
    }
  });

  it("is written from the side where it begins", async () => {
    const leftOf = async (language: string, text: string) => {
      const task = { fonts: join(folder, "fonts"), file: join(folder, "side.png") };
      return (await drawing.run({ ...task, card: { ...CARD, language, text } })).boxes[0]?.left;
    };
    assert.equal(await leftOf("en", "mark"), 80);
    assert(Number(await leftOf("ar", "علم")) > SHARE_PICTURE_WIDTH / 2);
  });

  it("is drawn with a font that has it, as far as the looks have one", async () => {
    const fonts = join(folder, "fonts");
    const drawn = async (language: string, text: string) => {
      const file = join(folder, "letters.png");
      await drawing.run({ fonts, file, card: { ...CARD, language, text, source: "", site: "x" } });
      return (await sharp(file).raw().toBuffer()).toString("base64");
    };
    // Without a font a letter is a box with its number, which is as wide for one as for the other.
    for (const [language, letter] of [
      ["el", "ω"],
      ["ru", "ж"],
      ["ar", "ع"],
      ["he", "ש"],
    ] as const) {
      assert.notEqual(await drawn(language, letter), await drawn(language, "\u{10fffd}"), language);
    }
  });
});

describe("the folder of pictures", () => {
  /** A folder whose fonts are unpacked and indexed, which takes most of the time of its first picture. */
  const withFonts = (name: string): string => {
    const place = join(folder, name);
    cpSync(join(folder, "fonts"), join(place, "fonts"), { recursive: true });
    return place;
  };

  it("draws a picture once, for all who ask at the same time", async () => {
    const pictures = openSharePictureFolder(join(folder, "once"));
    const files = await Promise.all([1, 2, 3].map(() => pictures.picture(CARD)));
    assert.equal(new Set(files).size, 1);
    assert.deepEqual(readdirSync(join(folder, "once/pictures")), [`${sharePictureId(CARD)}.png`]);
    pictures.stop();
  });

  it("refuses those beyond the queue, and draws them later", async () => {
    const pictures = openSharePictureFolder(withFonts("many"));
    const cards = Array.from({ length: 30 }, (_, n) => ({ ...CARD, text: `Mark ${n}` }));
    const results = await Promise.allSettled(cards.map((card) => pictures.picture(card)));
    const reasons = results.flatMap((result) =>
      result.status === "rejected" ? result.reason : [],
    );
    assert(reasons.length > 0 && reasons.length < cards.length, String(reasons.length));
    for (const reason of reasons) {
      assert(reason instanceof AppError && reason.code === "unavailable", String(reason));
    }
    assert((await pictures.picture(cards[29] ?? CARD)).bytes > 1000);
    pictures.stop();
  });

  it("removes the pictures that were asked for longest ago when there is too much", async () => {
    const place = withFonts("full");
    const before = openSharePictureFolder(place);
    const first = await before.picture(CARD);
    before.stop();
    const pictures = openSharePictureFolder(place, { bytesMax: Math.round(first.bytes * 2.5) });
    for (const text of ["Mark one", "Mark two", "Mark three"]) {
      await pictures.picture({ ...CARD, text });
    }
    const names = readdirSync(join(place, "pictures"));
    assert(names.length < 4 && names.length > 0, names.join());
    assert(!names.includes(`${sharePictureId(CARD)}.png`));
    pictures.stop();
  });
});

/** A card in each script and length; every second one has a warning. */
function cardsOfAllLengths(): ShareCard[] {
  return SCRIPTS.flatMap(([language, words, source]) =>
    LENGTHS.map((length, at) => ({
      ...CARD,
      caution: at % 2 === 1 ? source : "",
      language,
      text: `${words} `.repeat(Math.ceil(length / words.length)).slice(0, length),
      source: source.repeat(length > 100 ? 8 : 1),
    })),
  );
}

function openProgram() {
  const settings = join(folder, "fonts.conf");
  const program = new TaskProgram<SharePictureTask, SharePictureResult>(
    new URL("../../src/storage/media/share/share-program.ts", import.meta.url),
    (message) => sharePictureResultSchema.parse(message),
    { ...LIMITS, environment: { FONTCONFIG_FILE: settings } },
  );
  writeFileSync(settings, fontconfigXml(join(folder, "fonts")));
  return {
    run: (task: SharePictureTask) => program.run(task),
    stop: () => program.stop(),
  };
}
