import { quotationOrWorkReference } from "../citations/item-reference.ts";
import type { ItemSummary, PublishedItem, ReadingCopy } from "../library.ts";
import {
  type Edition,
  editionForItemLanguage,
  editionPath,
  itemPageLanguage,
} from "../site/editions.ts";
import { buildItemBreadcrumbs } from "./breadcrumbs.ts";
import { CONTACT_PATH, SUBJECT_PAGE_FIELD } from "./contact-forms.ts";
import { buildBestKnownQuotationBlocks, separateBestKnownQuotations } from "./items/best-known.ts";
import { arrangeBlocksByLayout } from "./items/layout-order.ts";
import { buildLinkingGroupBlocks, listLinkingGroups } from "./items/linking-groups.ts";
import { portraitOf } from "./items/portrait.ts";
import { formatLinkCounts, isQuotationType } from "./lines.ts";
import {
  buildQuotationBlocks,
  buildQuotationHeading,
  buildRelatedQuotationBlocks,
} from "./quotations/quotation-page.ts";
import { warningSealOf } from "./quotations/seals.ts";
import type { Block, PageRequest, PageView, Seal } from "./view.ts";

/**
 * The page of a published item; null if the requested page number is beyond the last page of its
 * list.
 */
export function buildItemPage(
  reading: ReadingCopy,
  item: PublishedItem,
  request: PageRequest,
): PageView | null {
  const edition = editionForItemLanguage(reading, item.language);
  const { types } = edition;
  const type = types.get(item.type);
  if (type === undefined) throw new Error(`No type ${item.type} is declared for ${item.path}`);
  const isQuotationPage = isQuotationType(types, type.name);
  const portrait = portraitOf(item, type, reading);
  const groups = listLinkingGroups(reading, item, { request, edition });
  if (groups.some(({ page, pages }) => page > pages)) return null;
  const laterPages = groups.filter(({ page }) => page > 1);
  const query = laterPages.map(({ name, page }) => `${name}=${page}`).join("&");
  const divided = groups.map((group) => separateBestKnownQuotations(group, type, edition));
  const groupsShown = [
    ...divided.flatMap((each) => buildBestKnownQuotationBlocks(item, each, edition)),
    ...divided
      .toReversed()
      .flatMap(({ group, best }) =>
        buildLinkingGroupBlocks(reading, item, { group, above: best.length, edition }),
      ),
  ];
  const updateTimes = [
    item,
    ...groups.flatMap(({ inEditionLanguage, inOtherLanguages }) => [
      ...inEditionLanguage,
      ...inOtherLanguages,
    ]),
  ].map(({ updatedAt }) => updatedAt);
  return {
    path: item.path,
    query: query === "" ? "" : `?${query}`,
    title: item.title,
    description: withCaution(
      item.summary === "" ? descriptionOf(item, edition) : item.summary,
      warningSealOf(item, types),
    ),
    language: itemPageLanguage(edition, item.language),
    textLanguage: item.language,
    updatedAt: updateTimes.sort().at(-1) ?? item.updatedAt,
    isIndexed: true,
    subject: { kind: "item", item, ...(portrait === null ? {} : { portrait }) },
    trail: buildItemBreadcrumbs(reading, item, { type, edition }),
    translations: item.translations,
    ...(isQuotationPage ? { heading: buildQuotationHeading(item, edition) } : {}),
    blocks: [
      ...(portrait === null ? [] : [{ kind: "portrait" as const, portrait }]),
      ...(isQuotationPage
        ? [...buildQuotationBlocks(reading, item, { type, edition }), ...groupsShown]
        : arrangeBlocksByLayout(
            item,
            { type, edition },
            {
              lead: leadBlocks(item),
              text: textBlocks(item),
              citations: citationBlocks(item, reading),
              groups: groupsShown,
            },
          )),
    ],
    relatedBlocks: () => [
      ...(isQuotationPage ? buildRelatedQuotationBlocks(reading, item, { type, edition }) : []),
      reportBlock(item, edition),
    ],
  };
}

function withCaution(description: string, caution: Seal | null): string {
  return caution === null ? description : `${caution.label}. ${description}`;
}

/** The description of an item that has no text: its type and the number of items linked to it. */
function descriptionOf(
  item: Pick<ItemSummary, "title" | "type" | "counts">,
  edition: Edition,
): string {
  const { types, texts, site } = edition;
  const type = types.get(item.type)?.label ?? item.type;
  const counts = formatLinkCounts(item, edition);
  return texts.item.described({ title: item.title, type, site: site.name, counts });
}

function leadBlocks({ hasOwnSummary, summary, language }: PublishedItem): Block[] {
  return hasOwnSummary ? [{ kind: "lead", text: summary, language }] : [];
}

function textBlocks({ language, html, markdown }: PublishedItem): Block[] {
  return markdown === "" ? [] : [{ kind: "body", html, markdown, language }];
}

/** A link to the contact form, with the address of the item. */
function reportBlock({ path }: PublishedItem, edition: Edition): Block {
  const to = `${editionPath(edition, CONTACT_PATH)}?${SUBJECT_PAGE_FIELD}=${encodeURIComponent(path)}`;
  return { kind: "aside", line: [{ text: edition.texts.item.report, to }] };
}

function citationBlocks(item: PublishedItem, reading: ReadingCopy): Block[] {
  const reference = quotationOrWorkReference(item, reading);
  return reference === null ? [] : [{ kind: "citations", path: item.path, reference }];
}
