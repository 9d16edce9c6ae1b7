import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { dice } from "./dice.ts";
import { EXPORT_END, type ExportedPost, exportedItem, exportStart } from "./wordpress-export.ts";

const OLD = "https://old.example.org";
const WORDS =
  "garden society meeting member report harvest river winter letter history library evening children music market bridge reading council summer journey".split(
    " ",
  );
const TOPICS = 400;

/**
 * Writes an export of a site with this many posts and half as many attachments, divided among the files. It
 * has what WordPress exports: blocks and classic texts, shortcodes, addresses of smaller pictures, drafts,
 * private and protected posts, old slugs, comments and data of plugins.
 */
export async function writeLargeExport(files: readonly string[], posts: number): Promise<void> {
  const each = Math.ceil(posts / files.length);
  for (const [at, file] of files.entries()) {
    const range = { from: at * each, to: Math.min((at + 1) * each, posts) };
    await pipeline(Readable.from(exportOf(range, posts)), createWriteStream(file));
  }
}

function* exportOf({ from, to }: { from: number; to: number }, posts: number): Generator<string> {
  yield exportStart();
  for (let number = from; number < to; number += 1) {
    const roll = dice(number * 7919 + 1);
    yield exportedItem(post(number, posts, roll));
    if (number % 2 === 0) yield exportedItem(attachment(number));
  }
  yield EXPORT_END;
}

function post(number: number, posts: number, roll: (below: number) => number): ExportedPost {
  const slug = slugOf(number);
  const [status = "publish", password = ""] = visibility(number);
  const day = dayOf(number);
  const isPage = number % 50 === 7;
  return {
    ...{ id: idOf(number), type: isPage ? "page" : "post", status, password, slug },
    title: `The ${slug.replaceAll("-", " ")} &amp; what came of it`,
    link: isPage ? `/${slug}/` : `/${day.slice(0, 10).replaceAll("-", "/")}/${slug}/`,
    date: `${day} 10:00:00`,
    content: (number % 3 === 0 ? classic : blocks)(number, posts, roll),
    excerpt: roll(2) === 0 ? sentence(roll) : "",
    terms: [topicOf(roll), topicOf(roll)],
    meta: {
      _edit_last: "1",
      _thumbnail_id: String(fileId(number - (number % 2))),
      _yoast_wpseo_metadesc: sentence(roll),
      _plugin_layout: `a:3:{s:5:"theme";s:40:"${"x".repeat(40)}";${"i:0;".repeat(roll(200))}}`,
      ...(number % 10 === 3 ? { _wp_old_slug: `former-address-of-${slug}` } : {}),
    },
    comments: roll(4),
  };
}

function visibility(number: number): readonly string[] {
  if (number % 40 === 11) return ["draft"];
  if (number % 40 === 12) return ["private"];
  if (number % 40 === 13) return ["publish", "secret"];
  if (number % 40 === 14) return ["trash"];
  return [];
}

function attachment(number: number): ExportedPost {
  const name = fileName(number);
  const sizes = [150, 300, 768, 1024].map((width) => `${name}-${width}x${width / 2}.jpg`);
  return {
    ...{ id: fileId(number), type: "attachment", status: "inherit", title: name },
    ...{ slug: name, link: `/${slugOf(number)}/${name}/`, parent: idOf(number) },
    attachmentUrl: `${uploads(number)}/${name}.jpg`,
    meta: {
      _wp_attachment_image_alt: `A picture of the ${slugOf(number).replaceAll("-", " ")}`,
      _wp_attachment_metadata: `a:1:{s:5:"sizes";a:4:{${sizes.map((size) => `s:4:"file";s:${size.length}:"${size}";`).join("")}}}`,
    },
  };
}

function blocks(number: number, posts: number, roll: (below: number) => number): string {
  const paragraphs = Array.from({ length: 4 + roll(6) }, () => paragraph(number, posts, roll));
  return [
    ...paragraphs.map((text) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`),
    `<!-- wp:image {"id":${fileId(number - (number % 2))}} -->\n<figure class="wp-block-image"><img src="${picture(number)}" alt=""/><figcaption>${sentence(roll)}</figcaption></figure>\n<!-- /wp:image -->`,
    `<!-- wp:list -->\n<ul><li>${sentence(roll)}</li><li>${sentence(roll)}</li></ul>\n<!-- /wp:list -->`,
  ].join("\n\n");
}

function classic(number: number, posts: number, roll: (below: number) => number): string {
  const paragraphs = Array.from({ length: 4 + roll(6) }, () => paragraph(number, posts, roll));
  return [
    ...paragraphs,
    `[caption id="attachment_${fileId(number)}" width="300"]<img src="${picture(number)}" alt="" /> ${sentence(roll)}[/caption]`,
    '[contact-form-7 id="5" title="Write to us"]',
  ].join("\n\n");
}

function paragraph(number: number, posts: number, roll: (below: number) => number): string {
  const other = (number * 31 + roll(1000)) % posts;
  const link = `<a href="${OLD}/?p=${idOf(other)}">${WORDS[roll(WORDS.length)]}</a>`;
  return `${sentence(roll)} ${link} ${sentence(roll)} <em>${sentence(roll)}</em>`;
}

function picture(number: number): string {
  const shown = number - (number % 2);
  return `${uploads(shown)}/${fileName(shown)}-300x150.jpg`;
}

function sentence(roll: (below: number) => number): string {
  const words = Array.from({ length: 8 + roll(14) }, () => WORDS[roll(WORDS.length)]);
  return `The ${words.join(" ")}.`;
}

function topicOf(roll: (below: number) => number): readonly [string, string, string] {
  const number = roll(TOPICS);
  const name = `${WORDS[number % WORDS.length]} and ${WORDS[(number * 7) % WORDS.length]} ${number}`;
  const slug = name.replaceAll(" ", "-");
  return [number % 2 === 0 ? "category" : "post_tag", slug, name];
}

function slugOf(number: number): string {
  const [one, other] = [WORDS[number % WORDS.length], WORDS[(number * 13) % WORDS.length]];
  return `${one}-of-the-${other}-number-${number}`;
}

function dayOf(number: number): string {
  return new Date(Date.UTC(2004, 0, 1 + (number % 7000))).toISOString().slice(0, 10);
}

function idOf(number: number): number {
  return number * 2 + 10;
}

function fileId(number: number): number {
  return number * 2 + 11;
}

function fileName(number: number): string {
  return `photograph-${slugOf(number)}`;
}

function uploads(number: number): string {
  return `${OLD}/wp-content/uploads/${dayOf(number).slice(0, 7).replace("-", "/")}`;
}
