import { markdownPath } from "../content/addresses/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { Anchor, PageView } from "../content/pages/view.ts";
import { editionForItemLanguage, editionPath, editionsOf } from "../content/site/editions.ts";
import { dayInZone } from "../content/site/time-zone.ts";
import { baseLanguage } from "../texts/choose.ts";
import { nativeLanguageName } from "../texts/formats.ts";
import type { SiteTexts } from "../texts/site/english.ts";
import { siteTexts } from "../texts/site/site-texts.ts";
import { type BlockHtmlContext, blockHtml, languageAttributes } from "./blocks/block-html.ts";
import { type FeedLink, pageHeadHtml } from "./frame/page-head.ts";
import { type SiteFrame, siteFrame } from "./frame/site-frame.ts";
import { html, type SafeHtml } from "./html.ts";
import { writingDirectionOf } from "./languages.ts";
import { pictureFinder } from "./pictures.ts";

export interface PageHtmlContext {
  reading: ReadingCopy;
  origin: string;
  /** Feeds of this page and of the whole site. */
  feeds: readonly FeedLink[];
}

export function pageHtml(view: PageView, { reading, origin, feeds }: PageHtmlContext): string {
  const { language } = view;
  const site = siteFrame(reading, { origin, language });
  return html`<!doctype html>
<html lang="${language}" dir="${writingDirectionOf(language)}">
${pageHeadHtml(view, site, { feeds, origin, edition: editionForItemLanguage(reading, language), siteLanguage: reading.site().language })}<body>
<a class="skip" href="#main-content">${siteTexts(language).frame.skip}</a>
${header(view, site)}${aboveMain(view, reading)}${main(view, reading, { origin, language, findPicture: pictureFinder((id) => reading.medium(id)), showsPicturesFromElsewhere: site.showsPicturesFromElsewhere })}${footer(view, { site, reading })}</body>
</html>
`.text;
}

function header({ path, query, language }: PageView, site: SiteFrame): SafeHtml {
  const markdown = markdownPath(path);
  const note = site.slots.header;
  const { frame } = siteTexts(language);
  const forAgents = frame.forAgents(
    html`<a href="/llms.txt" tabindex="-1">/llms.txt</a>`,
    html`<a href="${encodeURI(markdown)}${query}" tabindex="-1">${markdown}</a>`,
  );
  return html`${note !== undefined && html`<aside class="site-note">${note}</aside>\n`}<header>
<p class="visually-hidden">${forAgents}</p>
${site.headers.get(encodeURI(path)) ?? site.defaultHeader}</header>
`;
}

/** Breadcrumbs and links to other languages, on one line if both fit. */
function aboveMain(view: PageView, reading: ReadingCopy): SafeHtml | null {
  const { trail, language } = view;
  const links = languageLinks(view, reading);
  if (trail.length === 0 && links === null) return null;
  const { breadcrumb } = siteTexts(language).frame;
  return html`<div class="above">
${trail.length > 0 && trailHtml(trail, breadcrumb)}${links}</div>
`;
}

function trailHtml(trail: readonly Anchor[], label: string): SafeHtml {
  return html`<nav class="trail" aria-label="${label}"><ol>${trail.map(({ text, to }) => html`<li><a href="${to}">${text}</a></li>`)}</ol></nav>\n`;
}

function main(view: PageView, reading: ReadingCopy, context: BlockHtmlContext): SafeHtml {
  const { title, heading, textLanguage, blocks, relatedBlocks = () => [] } = view;
  const { text, isHidden } = heading ?? { text: title, isHidden: false };
  const language = isHidden && text !== title ? context.language : textLanguage;
  const headline = html`<h1${isHidden && html` class="visually-hidden"`}${languageAttributes(language, context)}>${text}</h1>`;
  return html`<main id="main-content">
${headline}
${translationLine(view, reading)}${[...blocks, ...relatedBlocks()].map((block) => blockHtml(block, context))}</main>
`;
}

/**
 * Links to this page in the other editions of the site. If an edition lacks this page, the link leads
 * to the home page of that edition.
 */
function languageLinks(
  { language, translations }: PageView,
  reading: ReadingCopy,
): SafeHtml | null {
  const ownEdition = editionForItemLanguage(reading, language);
  const others = editionsOf(reading).filter((other) => other !== ownEdition);
  if (others.length === 0) return null;
  const links = others.map((other) => {
    const base = baseLanguage(other.language);
    const version = translations.find((each) => baseLanguage(each.language) === base);
    const path = version?.path ?? editionPath(other, "/");
    return html`<li><a href="${encodeURI(path)}" hreflang="${other.language}"${languageAttributes(other.language, { language })}>${nativeLanguageName(other.language)}</a></li>`;
  });
  return html`<nav class="languages" aria-label="${ownEdition.texts.frame.languages}"><ul>${links}</ul></nav>\n`;
}

/** Links to translations in languages without an edition of the site; null if there are none. */
function translationLine(
  { language, translations }: PageView,
  reading: ReadingCopy,
): SafeHtml | null {
  const editions = editionsOf(reading).map((each) => baseLanguage(each.language));
  const others = translations.filter((each) => !editions.includes(baseLanguage(each.language)));
  if (others.length === 0) return null;
  const { frame, comma } = siteTexts(language);
  return html`<p class="translations">${frame.translations} ${others.map(
    ({ language: tag, path }, at) =>
      html`${at > 0 && comma}<a href="${encodeURI(path)}" hreflang="${tag}"${languageAttributes(tag, { language })}>${nativeLanguageName(tag)}</a>`,
  )}</p>\n`;
}

function footer(
  { path, query, language, updatedAt }: PageView,
  { site, reading }: { site: SiteFrame; reading: ReadingCopy },
): SafeHtml {
  const texts = siteTexts(language);
  const { frame } = texts;
  const updated =
    updatedAt !== null && frame.updated(dayHtml(dayInZone(site.timeZone, updatedAt), texts));
  return html`<footer>
${site.slots.footer !== undefined && html`<div class="text">${site.slots.footer}</div>\n`}<p>${updated && html`${updated} `}${site.licence}</p>
<ul class="footer-links"><li><a href="${encodeURI(markdownPath(path))}${query}">${frame.thisPageInMarkdown}</a></li><li><a href="/llms.txt">${frame.agentGuide}</a></li><li><a href="${editionForItemLanguage(reading, language).prefix}/feed.atom">${frame.feed}</a></li>${site.email !== null && html`<li><a href="mailto:${site.email}">${site.email}</a></li>`}</ul>
</footer>
`;
}

/** `text` has the form `YYYY-MM-DD`. */
function dayHtml(text: string, texts: SiteTexts): SafeHtml {
  const [year = 0, month = 1, day = 1] = text.split("-").map(Number);
  return html`<time datetime="${text}">${texts.date({ year, month, day })}</time>`;
}
