import { markdownUrl } from "../content/addresses/addresses.ts";
import { hasIncomingRelationWithItems, listMostLinkedItems } from "../content/lists/hubs.ts";
import { sectionsInAnyEdition } from "../content/lists/sections.ts";
import { listBuiltInPageTranslations } from "../content/pages/built-in/built-in-page.ts";
import { BUILT_IN_PAGES } from "../content/pages/built-in/built-in-pages.ts";
import { englishTextsAndTypes } from "../content/site/editions.ts";
import { MCP_PATH, MCP_REQUESTS_PER_MINUTE_DEFAULT } from "../content/site/service-identity.ts";
import type { ContentType } from "../content/types/content-type.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import { keyRequestUrl } from "./key-request-url.ts";
import {
  formatDetailedItemLine,
  formatItemLine,
  formatLinkLine,
  renderLlmsFile,
  takeLinesThatFit,
} from "./llms-lines.ts";
import { formatLlmsPartLines, llmsSectionPath } from "./llms-section.ts";
import { renderSearchGuide } from "./search-filters.ts";
import { CONTENT_IS_NOT_INSTRUCTIONS } from "./skills/reading-rules.ts";
import { skillPath, skillsWithContent } from "./skills/skills.ts";

/** About 3,000 tokens. The limit is low, because agents read this file before any other. */
const CHARACTERS_MAX = 10_500;
const PAGES_CHARACTERS_MAX = 2_000;
const OPTIONAL_CHARACTERS_MAX = 3_500;
/** Characters reserved for each heading and its blank lines. */
const HEADING_CHARACTERS_MAX = 100;
/** Limit on the items of a type in the main index. The section files have the rest. */
const HUBS_MAX = 12;
const NEWEST_MAX = 4;

/** The index of the site in the llmstxt.org grammar. */
export const llmsTxt: DiscoveryDocument = {
  name: "llms.txt",
  paths: ["/llms.txt"],
  contentType: "text/markdown; charset=utf-8",
  render(context) {
    const site = context.reading.site();
    const fixedParts = {
      title: site.name,
      summary: site.description,
      paragraphs: paragraphs(context),
      sections: [{ heading: "Start here", lines: pageLines(context) }],
    };
    const optional = { heading: "Optional", lines: optionalLines(context) };
    const withoutTypes = renderLlmsFile({
      ...fixedParts,
      sections: [...fixedParts.sections, optional],
    });
    const remaining = CHARACTERS_MAX - withoutTypes.length;
    const sections = [...fixedParts.sections, ...typeSections(context, remaining), optional];
    return renderLlmsFile({ ...fixedParts, sections });
  },
};

/**
 * How to use the site. The full-text file is named but not linked, because programs that follow all
 * links would download everything.
 */
function paragraphs(context: DocumentContext): string[] {
  const { reading, origin } = context;
  const { whenToUse, whenNotToUse, licence } = reading.site();
  const use = `When to use this site: to ${whenToUse.join("; to ")}.`;
  const notFor = whenNotToUse.length === 0 ? "" : ` Not for ${whenNotToUse.join("; nor for ")}.`;
  const terms =
    licence === undefined ? "" : ` Licence of the association's own texts: ${licence.name}.`;
  return [
    use + notFor,
    `How to read: every page has a Markdown form at its address plus \`.md\`, and answers \`Accept: text/markdown\` with it. Reading is open: no account, no key. The text of all pages in one file, which may be large: \`${origin}/llms-full.txt\`. Do not guess addresses; follow links. Cite the address without \`.md\`.${terms}`,
    renderSearchGuide(context),
    CONTENT_IS_NOT_INSTRUCTIONS,
    `MCP: tools to search, list and follow relations at \`${origin}${MCP_PATH}\` (streamable HTTP, read-only, ${MCP_REQUESTS_PER_MINUTE_DEFAULT} requests a minute). It needs a key in the \`Authorization: Bearer\` header; people ask the administrators for one at ${keyRequestUrl(context)}. Without a key, everything published can be read here.`,
  ];
}

function pageLines({ reading, origin }: DocumentContext): string[] {
  const lines = [...reading.types().values()]
    .filter(({ listPath }) => listPath === null)
    .flatMap((type) => {
      const count = reading.counts()[type.name] ?? 0;
      const entries = reading.index({ type: type.name, limit: 200 });
      const shown = takeLinesThatFit(
        Array.from(entries, (entry) => formatItemLine(entry, { reading, origin })),
        PAGES_CHARACTERS_MAX,
      );
      const all = formatLinkLine(
        `All ${type.plural.toLowerCase()}`,
        origin + llmsSectionPath(type),
      );
      return shown.length < count ? [...shown, all] : shown;
    });
  return [...lines, ...builtInPageLines({ reading, origin })];
}

function builtInPageLines({
  reading,
  origin,
}: Pick<DocumentContext, "reading" | "origin">): string[] {
  const { texts } = englishTextsAndTypes(reading.types());
  return BUILT_IN_PAGES.flatMap((page) => {
    const { listed } = page;
    if (listed === null) return [];
    const title = page.title(texts);
    return listBuiltInPageTranslations(page, reading).map(({ path, language }) => {
      const name = language === reading.site().language ? title : `${title} (${language})`;
      return formatLinkLine(name, markdownUrl(origin, path), listed);
    });
  });
}

/** A section for each type. The remaining characters are divided evenly among them. */
function typeSections(context: DocumentContext, remaining: number) {
  const sections = sectionsInAnyEdition(context.reading);
  const share = remaining / Math.max(1, sections.length) - HEADING_CHARACTERS_MAX;
  return sections.map(({ type, listPath, count }) => {
    const { origin } = context;
    const lines = [
      formatLinkLine(type.plural, markdownUrl(origin, listPath), type.description),
      formatLinkLine(`List of all ${count}`, origin + llmsSectionPath(type), "one link a line"),
      ...itemLines(context, type, count),
    ];
    return { heading: type.plural, lines: takeLinesThatFit(lines, share) };
  });
}

function itemLines(context: DocumentContext, type: ContentType, count: number): string[] {
  const { reading } = context;
  const limit = hasIncomingRelationWithItems(reading, type) ? HUBS_MAX : NEWEST_MAX;
  const query = { types: [type.name], filters: [], links: [], sort: type.defaultSort, limit };
  const items =
    count <= limit
      ? reading.items({ ...query, descending: false })
      : listMostLinkedItems(reading, type, { limit });
  return items.map((item) => formatDetailedItemLine(item, context));
}

function optionalLines(context: DocumentContext): string[] {
  const { reading, origin } = context;
  const lines = [
    ...skillsWithContent(reading).map((skill) =>
      formatLinkLine(`Skill: ${skill.title}`, origin + skillPath(skill), "instructions for agents"),
    ),
    formatLinkLine("Agent view", `${origin}/?mode=agent`, "endpoints and counts in JSON"),
    ...[...reading.types().values()].flatMap((type) => formatLlmsPartLines(context, type)),
  ];
  return takeLinesThatFit(lines, OPTIONAL_CHARACTERS_MAX);
}
